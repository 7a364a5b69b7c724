"""The causes of several runs, put together under the names by which their pages are addressed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.journal.journal import Run
from abiprobe.results.site.cause_status import CauseStatus, joined, statuses


class Triaged(msgspec.Struct, frozen=True):
    """A run by the name of its folder, with its causes."""

    name: str
    run: Run
    clusters: tuple[Cluster, ...]

    @property
    def started(self) -> str:
        """The start of the run (UTC, ISO 8601)."""
        return self.run.header.started


class Sighting(msgspec.Struct, frozen=True):
    """A cause as one run shows it."""

    of: Triaged
    cluster: Cluster


class Sighted(msgspec.Struct, frozen=True):
    """A cause with every run that shows it, oldest first."""

    sightings: tuple[Sighting, ...]

    @property
    def id(self) -> str:
        """The name under which its page stands: that of the newest run."""
        return self.last.cluster.id

    @property
    def last(self) -> Sighting:
        """The newest run that shows it."""
        return self.sightings[-1]

    @property
    def former(self) -> tuple[str, ...]:
        """Other names that lead to it."""
        named = (name for one in self.sightings for name in (one.cluster.id, *one.cluster.former))
        return tuple(name for name in dict.fromkeys(named) if name != self.id)

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets on which some run shows it."""
        return tuple(sorted({name for one in self.sightings for name in one.cluster.targets}))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that are broken or leave it open, those of the newest run first."""
        named = (name for one in reversed(self.sightings) for name in one.cluster.clauses)
        return tuple(dict.fromkeys(named))

    @property
    def probes(self) -> int:
        """The number of probes of all runs that show it; one that two runs asked counts once."""
        return len(
            {
                (finding.fingerprint.target, probe)
                for one in self.sightings
                for finding in one.cluster.findings
                for probe in finding.probes
            }
        )

    def statuses(self) -> dict[str, dict[str, CauseStatus]]:
        """Return the status of each compiler on each target."""
        return joined(statuses(one.cluster) for one in self.sightings)


def in_order(runs: Iterable[Triaged]) -> tuple[Triaged, ...]:
    """The runs, oldest first."""
    return tuple(sorted(runs, key=lambda one: (one.started, one.name)))


def sighted(runs: Sequence[Triaged]) -> tuple[Sighted, ...]:
    """Every cause of some runs; those that a name or a former name has in common are one."""
    groups: list[list[Sighting]] = []
    for run in in_order(runs):
        for cluster in run.clusters:
            here = Sighting(run, cluster)
            home = next((group for group in groups if is_same(group[-1], here)), None)
            if home is None:
                groups.append([here])
            else:
                home.append(here)
    return tuple(Sighted(tuple(group)) for group in groups)


def is_same(before: Sighting, now: Sighting) -> bool:
    """Return whether a cause of an earlier run is one of a later run; two of the same run never are."""
    return before.of is not now.of and (
        now.cluster.is_called(before.cluster.id) or before.cluster.is_called(now.cluster.id)
    )

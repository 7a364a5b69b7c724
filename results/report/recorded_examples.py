"""Pick one recorded probe for each cause, with the judge's differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Verdict

SHOWN = 3
"""Differences of a probe that are shown."""


class RecordedExample(msgspec.Struct, frozen=True):
    """One probe of a cause as it was recorded: who showed it at which level, and its first differences."""

    probe: str
    who: str
    differences: tuple[str, ...]


def recorded_examples(
    batches: Iterable[BatchDone], clusters: Sequence[Cluster]
) -> dict[str, RecordedExample]:
    """Map each cluster, by its id, to the deviating probe with the smallest id."""
    wanted: dict[tuple[str, str], list[Cluster]] = {}
    for cluster in clusters:
        for target, probe in probes(cluster):
            wanted.setdefault((target, probe), []).append(cluster)
    found: dict[str, RecordedExample] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            for cluster in wanted.get((batch.key.target, verdict.probe), ()):
                before = found.get(cluster.id)
                if shows_cause(verdict, cluster, batch.key.subject) and (
                    before is None or verdict.probe < before.probe
                ):
                    who = f"{batch.key.subject} -{batch.key.level}"
                    found[cluster.id] = RecordedExample(verdict.probe, who, words(verdict))
    return found


def probes(cluster: Cluster) -> set[tuple[str, str]]:
    """Every probe of a cluster with its target."""
    return {(finding.fingerprint.target, one) for finding in cluster.findings for one in finding.probes}


def shows_cause(verdict: Verdict, cluster: Cluster, subject: str) -> bool:
    """Return whether a verdict shows a deviation of a subject that the cluster is about."""
    return verdict.verdict is Judgement.DEVIATES and subject in cluster.subjects and not verdict.partner


def words(verdict: Verdict) -> tuple[str, ...]:
    """The first differences, or what else the verdict says."""
    return tuple(map(str, verdict.differences[:SHOWN])) or ((verdict.detail,) if verdict.detail else ())

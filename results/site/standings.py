"""What each compiler shows of a cause on each of its targets, by the examples of its triage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from abiprobe.results.causes.blame import Blame
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.fingerprint import Symptom
from abiprobe.results.causes.timeline import Showing


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a compiler shows of a cause; `group` counts those who go together where no text decides, from A on."""

    shows: Showing
    group: str = ""


Standings = Mapping[str, Mapping[str, Standing]]
"""By target and compiler."""


def standings(cluster: Cluster) -> dict[str, dict[str, Standing]]:
    """What each compiler shows of a cause: its smallest example on each target tells, and whoever deviates in another one."""
    found: dict[str, dict[str, Standing]] = {}
    for finding in cluster.findings:
        mine = found.setdefault(finding.fingerprint.target, {})
        for subject, standing in of_blame(finding.blame, cluster.symptom).items():
            if subject not in mine or (standing.shows is Showing.BAD and not standing.group):
                mine[subject] = standing
    return found


def of_blame(blame: Blame, symptom: Symptom) -> dict[str, Standing]:
    """What each compiler shows of one example."""
    if symptom is Symptom.DIFFERS and blame.groups:
        letters = zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", blame.groups, strict=False)
        return {
            subject: Standing(Showing.BAD, letter)
            for letter, group in letters
            for subject, _ in reversed(group.subjects)
        }
    parts: tuple[tuple[Showing, Iterable[str]], ...] = (
        (Showing.SILENT, blame.unobserved),
        (Showing.GOOD, blame.agreeing),
        (Showing.OTHERWISE, blame.otherwise),
        (Showing.BAD, blame.deviating),
    )
    return {subject: Standing(shows) for shows, subjects in parts for subject in subjects}


def joined(every: Iterable[Standings]) -> dict[str, dict[str, Standing]]:
    """The standings of several runs, oldest first: what a later run says of a compiler counts, unless it says nothing."""
    found: dict[str, dict[str, Standing]] = {}
    for one in every:
        for target, standings_there in one.items():
            mine = found.setdefault(target, {})
            for subject, standing in standings_there.items():
                if standing.shows is not Showing.SILENT or subject not in mine:
                    mine[subject] = standing
    return found

"""The status of each compiler for a cause on each of its targets, by the examples of its triage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from abiprobe.results.causes.blame import Blame
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.fingerprint import Symptom
from abiprobe.results.causes.timeline import VersionResult


class CauseStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status of a compiler for a cause; `group` is the letter of those that agree where no text decides, from A on."""

    shows: VersionResult
    group: str = ""


StatusTable = Mapping[str, Mapping[str, CauseStatus]]
"""By target and compiler."""


def statuses(cluster: Cluster) -> dict[str, dict[str, CauseStatus]]:
    """Return the status of each compiler for a cause by its smallest example on each target, or by any that deviates."""
    found: dict[str, dict[str, CauseStatus]] = {}
    for finding in cluster.findings:
        mine = found.setdefault(finding.fingerprint.target, {})
        for subject, status in of_blame(finding.blame, cluster.symptom).items():
            if subject not in mine or (status.shows is VersionResult.BAD and not status.group):
                mine[subject] = status
    return found


def of_blame(blame: Blame, symptom: Symptom) -> dict[str, CauseStatus]:
    """Return the status of each compiler for one example."""
    if symptom is Symptom.DIFFERS and blame.groups:
        letters = zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", blame.groups, strict=False)
        return {
            subject: CauseStatus(VersionResult.BAD, letter)
            for letter, group in letters
            for subject, _ in reversed(group.subjects)
        }
    parts: tuple[tuple[VersionResult, Iterable[str]], ...] = (
        (VersionResult.SILENT, blame.unobserved),
        (VersionResult.GOOD, blame.agreeing),
        (VersionResult.OTHERWISE, blame.otherwise),
        (VersionResult.BAD, blame.deviating),
    )
    return {subject: CauseStatus(shows) for shows, subjects in parts for subject in subjects}


def joined(every: Iterable[StatusTable]) -> dict[str, dict[str, CauseStatus]]:
    """The statuses of several runs, oldest first: what a later run says of a compiler counts, unless it says nothing."""
    found: dict[str, dict[str, CauseStatus]] = {}
    for one in every:
        for target, statuses_there in one.items():
            mine = found.setdefault(target, {})
            for subject, status in statuses_there.items():
                if status.shows is not VersionResult.SILENT or subject not in mine:
                    mine[subject] = status
    return found

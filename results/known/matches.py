"""Match each deviation of a run with the entries for known deviations.

Verdicts are matched probe by probe as recorded: nothing is reduced and no compiler runs. Deviations that match no entry
are grouped for triage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.causes.answers import ProbeVerdicts
from abiprobe.results.causes.cluster import Cluster, Finding, restricted
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom
from abiprobe.results.causes.groups import (
    Group,
    Member,
    group_members,
    members_of,
    verdicts_by_probe,
)
from abiprobe.results.causes.priority import by_priority
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, Coverage
from abiprobe.results.journal.journal import BatchDone, Run
from abiprobe.results.known.deviations import (
    Entry,
    KnownCause,
    Resemblance,
    concerning,
    matching,
    matching_finding,
    resembled,
    shows,
)
from abiprobe.results.known.exposure import packages_meeting
from abiprobe.results.known.sides import Split
from abiprobe.results.verdicts.record import Judgement

Deviation: TypeAlias = tuple[Fingerprint, str, str]
"""A fingerprint, the subject that shows it, and the probe id."""
Versions: TypeAlias = Mapping[tuple[str, str], str]
"""The version line of each subject for each target."""
BrokenClause: TypeAlias = tuple[str, str, str]
"""A target, a subject and a clause that it breaks."""


class MatchedCluster(msgspec.Struct, frozen=True):
    """A cluster, and what is to be shown of it: all of it with what is known of it, or what is new of it."""

    whole: Cluster
    shown: Cluster
    known: tuple[KnownCause, ...]


class Recurrence(msgspec.Struct, frozen=True):
    """A known deviation that occurred in a run: number of probes, targets, and probes by subject."""

    entry: KnownCause
    probes: int
    targets: tuple[str, ...]
    subjects: dict[str, int]


class KnownMatches(msgspec.Struct, frozen=True, dict=True):
    """The deviations of a run, known and new.

    `entries` has the entry that matches each known one, and these stand in the groups `known`, the others in the groups
    `left`. `doubtful` are groups that match an
    entry of which the run has no plain example: other traits of these questions may be the cause, but for what a tool dies of or refuses,
    which its words tell. `breaks` gives for each
    target, subject and clause what shows it; a clause that is broken only because another one is has nothing there.
    `concerned` gives the entries about each subject of each target. `flaky` is what fresh runs do not show each time. `unlike`
    are deviations that would match an entry if what is seen were what it says, with that entry: they are new, whatever they
    are reduced to.
    """

    entries: dict[Deviation, KnownCause]
    left: tuple[Group, ...]
    known: tuple[Group, ...]
    doubtful: tuple[Group, ...]
    breaks: dict[BrokenClause, frozenset[Deviation]]
    concerned: Mapping[tuple[str, str], tuple[KnownCause, ...]] = {}
    flaky: frozenset[Deviation] = frozenset()
    unlike: Mapping[Deviation, Entry] = {}

    def entries_beside(self, group: Group) -> dict[str, tuple[KnownCause, ...]]:
        """The entries that show as a group does, and what else is known, by subject of the group."""
        return self._beside(group, lambda one: not isinstance(one, Entry) or shows(one, group.fingerprint))

    def quirks_beside(self, group: Group) -> dict[str, tuple[KnownCause, ...]]:
        """The causes known by other than entries, by subject of a group: whether an entry is behind a group may be just what is asked."""
        return self._beside(group, lambda one: not isinstance(one, Entry))

    def _beside(
        self, group: Group, matters: Callable[[KnownCause], bool]
    ) -> dict[str, tuple[KnownCause, ...]]:
        target = group.fingerprint.target
        return {
            subject: tuple(filter(matters, self.concerned.get((target, subject), ())))
            for subject in group.subjects
        }

    def contradicts(self, cluster: Cluster) -> bool:
        """Return whether a deviation of a cluster is not what the entry says that it resembles, and no layout brings it about."""
        return any(
            (finding.fingerprint, subject, probe) in self.unlike
            for finding in cluster.findings
            if not finding.layouts
            for subject in finding.subjects
            for probe in finding.probes
        )

    @cached_property
    def doubted(self) -> frozenset[Deviation]:
        """The deviations of which the run has no plain example."""
        return frozenset(
            (group.fingerprint, subject, member.probe)
            for group in self.doubtful
            for subject in group.subjects
            for member in group.members
        )

    def known_of(
        self, item: Cluster, entries: Sequence[KnownCause], versions: Mapping[str, str]
    ) -> tuple[Cluster, tuple[KnownCause, ...]]:
        """Return a cluster with the entries that know it, or what is new of it with none; `versions` by subject.

        What the verdicts of a run alone tell to be known stays known if it is reduced together with others that are new, so
        a run that has just ended and its complete triage have the same news. A deviation of which the run has no plain
        example is not told by its verdicts alone, but by what it was reduced to.
        """

        def new_of(finding: Finding) -> Callable[[str, str], bool]:
            described = bool(matching_finding(finding, entries, versions))

            def is_new(subject: str, probe: str) -> bool:
                shown = (finding.fingerprint, subject, probe)
                return shown not in self.entries or (shown in self.doubted and not described)

            return is_new

        if not item.first.steady:
            return item, ()
        new = restricted(item, new_of)
        for part in filter(None, (item, new)):
            mine = () if self.contradicts(part) else matching(part, entries, versions)
            if mine:
                return part, mine
        if new is not None:
            return new, ()
        names = {self.entries[shown].name: self.entries[shown] for shown in deviations_of(item)}
        return item, tuple(names.values())

    def matched(
        self, clusters: Iterable[Cluster], entries: Sequence[KnownCause], run: Run
    ) -> tuple[MatchedCluster, ...]:
        """Return each cluster of the run with the entries in force that know it, in the order of triage."""
        versions = run.versions_by_subject
        return tuple(
            MatchedCluster(item, *self.known_of(item, entries, versions))
            for item in by_priority(clusters, run.newest)
        )

    def recurrences(self) -> tuple[Recurrence, ...]:
        """The known deviations that occurred, as `recurrences` orders them."""
        return recurrences(self.entries)

    def news(self) -> frozenset[tuple[str, str, str, str]]:
        """Return target, subject, clause and probe of each deviation that no entry matches."""
        return frozenset(
            (*key, probe)
            for key, shown in self.breaks.items()
            for one in shown
            if one not in self.entries
            for probe in one[2:]
        )

    def of_clusters(self, matched: Iterable[MatchedCluster]) -> KnownMatches:
        """Return the matches updated by triage: a cluster's deviations are known if entries match the cluster."""
        entries = dict(self.entries)
        flaky: set[Deviation] = set()
        for one in matched:
            for shown in deviations_of(one.shown):
                entries.pop(shown, None)
                if not one.shown.first.steady:
                    flaky.add(shown)
                elif one.known:
                    before = self.entries.get(shown)
                    entries[shown] = one.known[0] if before is None or before not in one.known else before
        return msgspec.structs.replace(self, entries=entries, flaky=frozenset(flaky))

    def excuse(self, target: str, subject: str, clause: str) -> str:
        """Say why a clause that a subject breaks counts as known; empty when one of its deviations is new."""
        shown = self.breaks.get((target, subject, clause), frozenset())
        if any(one not in self.entries and one not in self.flaky for one in shown):
            return ""
        named = {self.entries[one].name: self.entries[one] for one in shown if one in self.entries}
        if named:
            return "; ".join(named[name].summary for name in sorted(named))
        return (
            "not shown by every fresh run" if shown else "follows from another deviation of the same probes"
        )

    def names(self) -> dict[tuple[str, str, str], tuple[str, ...]]:
        """Return the names of the matching entries by target, subject and probe."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for (fingerprint, subject, probe), entry in self.entries.items():
            found.setdefault((fingerprint.target, subject, probe), []).append(entry.name)
        return {key: tuple(dict.fromkeys(names)) for key, names in found.items()}


DEADLY = frozenset({Symptom.CRASHED, Symptom.TIMED_OUT})
"""Symptoms of a tool that died; a refusal is an answer."""


def exit_status_of(new: Iterable[Symptom], covered: Coverage, *, more: bool) -> int:
    """Return the exit status for the new symptoms of a run; `more` says that something else is new, or gone.

    1 something new, 4 a tool died in a way that is not known, 3 nothing was compared at all or of something that was named,
    else 0.
    """
    found = set(new)
    if more or found - DEADLY:
        return 1
    if found:
        return 4
    return 0 if covered.complete else NOTHING_COMPARED


def deviations_of(cluster: Cluster) -> Iterator[Deviation]:
    """Yield the deviations that belong to a cluster."""
    for finding in cluster.findings:
        for subject in finding.subjects:
            for probe in finding.probes:
                yield finding.fingerprint, subject, probe


def recurrences(entries: Mapping[Deviation, KnownCause]) -> tuple[Recurrence, ...]:
    """The entries that match deviations, those first that most packages of headers meet, then the most frequent."""
    found: dict[str, list[Deviation]] = {}
    named = {entry.name: entry for entry in entries.values()}
    for shown, entry in entries.items():
        found.setdefault(entry.name, []).append(shown)
    made = [recurrence(named[name], shown) for name, shown in found.items()]
    return tuple(
        sorted(made, key=lambda item: (-packages_meeting(item.entry.name), -item.probes, item.entry.name))
    )


def recurrence(entry: KnownCause, shown: Iterable[Deviation]) -> Recurrence:
    """Count the occurrences of one known deviation."""
    probes = {(fingerprint.target, probe) for fingerprint, _, probe in shown}
    by_subject: dict[str, set[tuple[str, str]]] = {}
    for fingerprint, subject, probe in shown:
        by_subject.setdefault(subject, set()).add((fingerprint.target, probe))
    return Recurrence(
        entry,
        len(probes),
        tuple(sorted({target for target, _ in probes})),
        {subject: len(found) for subject, found in sorted(by_subject.items())},
    )


def match_known(
    batches: Collection[BatchDone],
    entries: Sequence[KnownCause],
    versions: Versions,
    wanted: Container[tuple[str, str]] | None = None,
) -> KnownMatches:
    """Match every deviation of a run with the entries; `wanted` restricts them to pairs of target and probe id."""
    known: dict[Deviation, KnownCause] = {}
    plain: set[str] = set()
    breaks: dict[BrokenClause, set[Deviation]] = {}
    unlike: dict[Deviation, Entry] = {}
    every: list[tuple[Fingerprint, tuple[str, ...], Member]] = []

    @cache
    def entries_of(target: str, subject: str) -> tuple[KnownCause, ...]:
        return concerning(entries, target, subject, versions.get((target, subject), ""))

    @cache
    def versions_on(target: str) -> Mapping[str, str]:
        return {subject: version for (asked, subject), version in versions.items() if asked == target}

    for one in verdicts_by_probe(batches, wanted):
        every += members_of(one)
        for key, behind in broken_clauses(one):
            breaks.setdefault(key, set()).update(behind)
        for shown, found in match_probe(one, entries_of, versions_on(one.target)).items():
            if found.entry is not None:
                known[shown] = found.entry
                plain |= {found.entry.name} if found.exact else set()
            elif found.unlike is not None:
                unlike[shown] = found.unlike
    # What a tool died of is known by the traits of the question alone.
    doubted = {
        shown for shown, entry in known.items() if entry.name not in plain and shown[0].symptom not in CRASHES
    }
    return KnownMatches(
        known,
        restricted_groups(every, lambda shown: shown not in known),
        restricted_groups(every, known.__contains__),
        restricted_groups(every, doubted.__contains__),
        {key: frozenset(shown) for key, shown in breaks.items()},
        {asked: entries_of(*asked) for asked in versions},
        unlike=unlike,
    )


def match_probe(
    one: ProbeVerdicts, entries_of: Callable[[str, str], tuple[KnownCause, ...]], versions: Mapping[str, str]
) -> dict[Deviation, Resemblance]:
    """Return each deviation on a probe with what it resembles at every level; `entries_of` a target and a subject, `versions` by subject."""
    found: dict[Deviation, Resemblance] = {}
    split = Split.of(one.comparison, versions)
    for (subject, _), answer in one.each.items():
        for item in resembled(entries_of(one.target, subject), answer, one.features, split):
            shown = (item.fingerprint, subject, one.probe)
            before = found.get(shown, item)
            found[shown] = Resemblance(
                item.fingerprint,
                before.entry and item.entry,
                before.exact and item.exact,
                before.unlike or item.unlike,
            )
    return found


def restricted_groups(
    every: Iterable[tuple[Fingerprint, tuple[str, ...], Member]], wanted: Callable[[Deviation], bool]
) -> tuple[Group, ...]:
    """The group members with a `wanted` deviation, in groups."""
    return group_members(part for found in every for part in restrict_subjects(found, wanted))


def restrict_subjects(
    found: tuple[Fingerprint, tuple[str, ...], Member], wanted: Callable[[Deviation], bool]
) -> Iterator[tuple[Fingerprint, tuple[str, ...], Member]]:
    """Yield a group member restricted to the subjects whose deviation is `wanted`, if there are any."""
    fingerprint, subjects, member = found
    mine = tuple(subject for subject in subjects if wanted((fingerprint, subject, member.probe)))
    if mine:
        deviating = tuple(asked for asked in member.deviating if asked[0] in mine)
        yield fingerprint, mine, msgspec.structs.replace(member, deviating=deviating)


def broken_clauses(one: ProbeVerdicts) -> Iterator[tuple[BrokenClause, frozenset[Deviation]]]:
    """Yield the clauses that each subject breaks on a probe, with the deviations; none for consequences."""
    for (subject, _), answer in one.each.items():
        for verdict in answer.verdicts:
            if verdict.verdict is Judgement.DEVIATES and verdict.kind is not ProbeKind.PAIR:
                for clause, _side in verdict.broken:
                    behind = (item for item in answer.fingerprints if item.clause == clause)
                    yield (
                        (one.target, subject, clause),
                        frozenset((item, subject, one.probe) for item in behind),
                    )

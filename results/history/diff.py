"""Differences between two runs: causes, compilers, coverage and speed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, Coverage, coverage
from abiprobe.results.history.causes import Cause, by_probe, first_seen, group_by_cause
from abiprobe.results.history.compare import (
    BAD,
    Change,
    Compared,
    News,
    Side,
    compare,
    differing,
    matched,
    outline,
    sides,
    wanted,
)
from abiprobe.results.history.losses import Pace, slower, unseen
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import KnownCause
from abiprobe.results.known.matches import (
    Deviation,
    Recurrence,
    match_known,
    recurrences,
)

WORSE = frozenset({News.NEW, News.CHANGED, News.LOST})
"""The news that a known deviation may be behind."""

NO_OTHERS: Mapping[str, str] = {}


class Replaced(msgspec.Struct, frozen=True):
    """A compiler or emulator that is not the one of the old run; empty where there was or is none."""

    target: str
    name: str
    before: str
    after: str


class Diff(msgspec.Struct, frozen=True):
    """Everything that changed.

    `unseen` are clauses that the old run had put to a subject and the new one has not; `missing` are sides of the old
    run that the new one lacks; `first` are clusters of the new run on probes that the old one never asked. `known` are
    the known deviations behind other changes, which are no news. `covered` says of whom the new run compared nothing.
    """

    causes: tuple[Cause, ...]
    replaced: tuple[Replaced, ...]
    compared: tuple[Compared, ...]
    missing: tuple[Side, ...]
    unseen: dict[str, tuple[str, ...]]
    slower: tuple[Pace, ...]
    first: tuple[Cause, ...]
    known: tuple[Recurrence, ...] = ()
    covered: Coverage = Coverage(anything=True, uncompared=())

    @property
    def probes(self) -> int:
        """The number of answers that were compared."""
        return sum(item.both for item in self.compared)

    @property
    def status(self) -> int:
        """0 as before, 1 when a deviation is new or one is gone, 3 when nothing was compared, or nothing of what was named."""
        if not self.probes:
            return NOTHING_COMPARED
        news = {cause.news for cause in self.causes}
        if news & (BAD | {News.GONE}) or self.first:
            return 1
        return 0 if self.covered.complete else NOTHING_COMPARED


def diff(
    old: Run,
    new: Run,
    *,
    names: Mapping[str, str],
    targets: Mapping[str, str],
    clusters: tuple[Sequence[Cluster], Sequence[Cluster]] = ((), ()),
    entries: Sequence[KnownCause] = (),
) -> Diff:
    """Compare two runs; `names` gives subjects of the new run by those of the old one, `targets` likewise targets.

    What the entries know of the new run is no news.
    """
    before, after = outline(old.batches, targets), outline(new.batches, NO_OTHERS)
    pairs = list(matched(before.answers, after.answers, names))
    hashes = {(was, side): (before.answers[was], after.answers[side]) for was, side in pairs}
    differ = {pair: frozenset(differing(*hashes[pair])) for pair in pairs}
    then, earlier = sides(old.batches, wanted((was, differ[was, side]) for was, side in pairs), targets)
    now, later = sides(new.batches, wanted((side, differ[was, side]) for was, side in pairs), NO_OTHERS)
    example = earlier | later
    compared = tuple(compare(was, side, hashes[was, side], (then[was], now[side])) for was, side in pairs)
    changes = [item for one in compared for item in one.changes]
    asked: dict[str, set[str]] = {}
    for (target, _, _), found_there in before.answers.items():
        asked.setdefault(target, set()).update(found_there)
    others = replaced(old, new, names, targets)
    # What has no digest may have changed.
    digested = {(info.target, info.subject) for info in new.header.subjects if info.digest}
    builds = {(one.target, one.name) for one in others}
    matches, unknown = told(new, changes, clusters[1], entries)
    known = known_changes(changes, matches)
    found = (by_probe(clusters[0]), by_probe(clusters[1]))
    return Diff(
        group_by_cause((item for item in changes if item not in known), example, found),
        others,
        compared,
        tuple(sorted(set(before.answers) - {was for was, _ in pairs})),
        unseen(before, after, pairs, alike=old.header.plan.seed == new.header.plan.seed),
        # A question of a small batch costs more.
        slower(before, after, pairs, lambda side: side[:2] in builds or side[:2] not in digested)
        if old.header.plan.batch == new.header.plan.batch
        else (),
        first_seen((clusters[0], unknown), asked),
        recurrences({shown: entry for of_change in known.values() for shown, entry in of_change.items()}),
        coverage(new.batches, comparisons(new.batches), new.header.named),
    )


def told(
    run: Run, changes: Sequence[Change], clusters: Sequence[Cluster], entries: Sequence[KnownCause]
) -> tuple[Mapping[Deviation, KnownCause], Sequence[Cluster]]:
    """The deviations of a run that the entries know, and what is new of its clusters, as its own report has them.

    Of a run that was not triaged only what changed for the worse is matched.
    """
    worse = {(item.side[0], item.probe) for item in changes if item.news in WORSE}
    if not entries or not (worse or clusters):
        return {}, clusters
    found = match_known(run.batches, entries, run.versions, None if clusters else worse)
    matched = found.matched(clusters, entries, run)
    return found.of_clusters(matched).entries, [one.shown for one in matched if not one.known]


def known_changes(
    changes: Sequence[Change], matches: Mapping[Deviation, KnownCause]
) -> dict[Change, dict[Deviation, KnownCause]]:
    """The changes for the worse whose deviations are all known, with the entry of each."""
    known: dict[Change, dict[Deviation, KnownCause]] = {}
    for item in changes:
        fresh = [(one, item.side[1], item.probe) for one in item.after if one not in item.before]
        if item.news in WORSE and fresh and all(shown in matches for shown in fresh):
            known[item] = {shown: matches[shown] for shown in fresh}
    return known


def replaced(
    old: Run, new: Run, names: Mapping[str, str], targets: Mapping[str, str]
) -> tuple[Replaced, ...]:
    """Compilers and emulators that are others than in the old run."""
    before = {
        (targets.get(info.target, info.target), names.get(info.subject, info.subject)): info
        for info in old.header.subjects
    }
    after = {(info.target, info.subject): info for info in new.header.subjects}
    compilers = [
        Replaced(target, name, one.version, other.version)
        for (target, name), one in before.items()
        if (other := after.get((target, name))) is not None and one.digest != other.digest
    ]
    runs = {targets.get(tool.target, tool.target): tool for tool in old.header.tools}
    emulators = [
        Replaced(tool.target, tool.name, f"{was.name} {was.version}", f"{tool.name} {tool.version}")
        for tool in new.header.tools
        if (was := runs.get(tool.target)) is not None and (was.name, was.version) != (tool.name, tool.version)
    ]
    return (*compilers, *emulators)

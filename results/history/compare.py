"""Compare two runs probe by probe, on the probes that both have.

Nearly all verdicts of two runs are the same, so a first pass over a run keeps a hash of those on each probe (`outline`), and
a second one the verdicts that differ (`sides`). A side is a set of verdicts on one target, one subject and one level. Which subject of the new run stands where a
subject of the old one stood is the caller's word: the same name, or another version of the compiler.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.fingerprint import Fingerprint, fingerprints
from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

Side: TypeAlias = tuple[str, str, str]
"""A target, a subject and a level."""
Verdicts: TypeAlias = Mapping[str, tuple[Verdict, ...]]
"""The verdicts on each probe."""
Hashes: TypeAlias = Mapping[str, int]
"""A hash of the verdicts on each probe, of this process."""


class News(Enum):
    """The change of a probe, or of a cause, from the old run to the new one."""

    NEW = "new"
    """it deviates, and did not before"""
    GONE = "gone"
    """it does not deviate any more"""
    CHANGED = "changed"
    """it deviates in another way than before"""
    LOST = "no longer observed"
    """it was compared before, and now the compiler refuses it, crashes or does not come to an end"""
    UNSUPPORTED = "newly unsupported"
    """it was compared before, and now the compiler lacks a type that it needs"""
    READS = "read otherwise"
    """the text leaves it open, and the compiler follows another reading than before"""
    FOUND = "newly observed"
    """it could not be compared before, and now it can"""


BAD = frozenset({News.NEW, News.CHANGED, News.LOST, News.UNSUPPORTED})
"""The news that a build should fail for; that a known deviation is gone must be looked at, too."""


class Change(msgspec.Struct, frozen=True):
    """One probe on which two sides differ; `before` and `after` are what each shows, the most telling first.

    `clause` is one that the text leaves open, where the two follow different readings of it.
    """

    side: Side
    was: Side
    probe: str
    news: News
    before: tuple[Fingerprint, ...]
    after: tuple[Fingerprint, ...]
    detail: str
    clause: str = ""


class Compared(msgspec.Struct, frozen=True):
    """Two sides: how many probes both were asked, how many only one, and where they differ."""

    side: Side
    was: Side
    both: int
    only_old: int
    only_new: int
    changes: tuple[Change, ...]


class Outline(msgspec.Struct, frozen=True):
    """The summary of one side of a run, made in one pass.

    `answers` are hashes of its verdicts, without pairs, where either side may be wrong; `clauses` are those that it was asked
    about, `of_corpus` those by the corpus alone; `pace` are the compiler's CPU seconds and the number of probes.
    """

    answers: dict[Side, dict[str, int]]
    clauses: dict[Side, set[str]]
    of_corpus: dict[Side, set[str]]
    pace: dict[Side, tuple[float, int]]


def outline(batches: Iterable[BatchDone], targets: Mapping[str, str]) -> Outline:
    """One pass over the batches of a run; `targets` gives other names of targets."""
    found = Outline({}, {}, {}, {})
    for batch in batches:
        side = side_of(batch, targets)
        answers = found.answers.setdefault(side, {})
        for probe, verdicts in verdicts_of(batch).items():
            # What is in the corpus may be drawn, too; the corpus comes first, and is asked everything.
            answers.setdefault(sys.intern(probe), hash(verdicts))
        found.clauses.setdefault(side, set()).update(map(sys.intern, batch.clauses))
        if batch.key.number < 0:
            found.of_corpus.setdefault(side, set()).update(batch.clauses)
        seconds, probes = found.pace.get(side, (0.0, 0))
        found.pace[side] = (seconds + batch.compile_seconds, probes + batch.probes)
    return found


def side_of(batch: BatchDone, targets: Mapping[str, str]) -> Side:
    """The side that a batch belongs to."""
    key = batch.key
    return targets.get(key.target, key.target), key.subject, key.level


def verdicts_of(batch: BatchDone) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts of a batch by probe."""
    found: dict[str, tuple[Verdict, ...]] = {}
    for verdict in subject_verdicts(batch):
        found[verdict.probe] = (*found.get(verdict.probe, ()), verdict)
    return found


def sides(
    batches: Iterable[BatchDone], wanted: Mapping[Side, frozenset[str]], targets: Mapping[str, str]
) -> tuple[dict[Side, dict[str, tuple[Verdict, ...]]], dict[str, Question]]:
    """The verdicts on the wanted probes of each side, and the questions that the run keeps of them."""
    found: dict[Side, dict[str, tuple[Verdict, ...]]] = {side: {} for side in wanted}
    questions: dict[str, Question] = {}
    probes: frozenset[str] = frozenset().union(*wanted.values())
    for batch in batches if probes else ():
        # Another subject may have been the reason to keep a question.
        questions |= {kept.probe: kept.question for kept in batch.kept if kept.probe in probes}
        side = side_of(batch, targets)
        if wanted.get(side):
            for probe, verdicts in verdicts_of(batch).items():
                if probe in wanted[side]:
                    found[side].setdefault(probe, verdicts)
    return found, questions


def matched(
    old: Iterable[Side], new: Iterable[Side], names: Mapping[str, str]
) -> Iterator[tuple[Side, Side]]:
    """The sides to compare: of each target and level, subjects of the same name, or of the one given in `names`.

    With no name given, two runs that have a single subject each are compared by these.
    """
    before, after = list(old), list(new)
    ours, theirs = ({subject for _, subject, _ in part} for part in (before, after))
    if not names and not ours & theirs and len(ours) == len(theirs) == 1:
        names = {ours.pop(): theirs.pop()}
    for target, subject, level in before:
        other = (target, names.get(subject, "" if names else subject), level)
        if other in after:
            yield (target, subject, level), other


def differing(old: Hashes, new: Hashes) -> list[str]:
    """The probes of both sides on which the verdicts are others."""
    return [probe for probe, verdicts in old.items() if new.get(probe, verdicts) != verdicts]


def wanted(pairs: Iterable[tuple[Side, frozenset[str]]]) -> dict[Side, frozenset[str]]:
    """Return the probes that each side needs; one side may be compared with several."""
    found: dict[Side, frozenset[str]] = {}
    for side, probes in pairs:
        found[side] = found.get(side, frozenset()) | probes
    return found


def compare(
    was: Side, side: Side, hashes: tuple[Hashes, Hashes], verdicts: tuple[Verdicts, Verdicts]
) -> Compared:
    """Two sides, probe by probe; of verdicts only those that differ are needed."""
    (old, new), (then, now) = hashes, verdicts
    both = sum(probe in new for probe in old)
    changes = (change(was, side, probe, then[probe], now[probe]) for probe in differing(old, new))
    return Compared(
        side,
        was,
        both,
        len(old) - both,
        len(new) - both,
        tuple(item for item in changes if item is not None),
    )


def change(
    was: Side, side: Side, probe: str, old: tuple[Verdict, ...], new: tuple[Verdict, ...]
) -> Change | None:
    """Return the change of one probe, or `None` if it has none."""
    if old == new:
        return None
    kinds = {verdict.kind for verdict in old} & {verdict.kind for verdict in new}
    # A witness that only one of the runs has asked says nothing about the compiler.
    before, after = (tuple(one for one in part if one.kind in kinds) for part in (old, new))
    shown, shows = fingerprints(was[0], before), fingerprints(side[0], after)
    news = kind_of_news(before, after, wrong(shown), wrong(shows))
    if news is None:
        return None
    if news is News.READS:
        clause = next(one.clause for one in after if one.reading)
        words = f"read as {readings(before)} before, as {readings(after)} now"
        return Change(side, was, probe, news, shown, shows, words, clause)
    deviating = [verdict for verdict in after if verdict.verdict is Judgement.DEVIATES]
    details = (one.detail for one in (before if news is News.FOUND else (*deviating, *after)))
    return Change(side, was, probe, news, shown, shows, next(filter(None, details), ""))


def readings(verdicts: Iterable[Verdict]) -> str:
    """Return the compiler families whose readings of the text some verdicts follow."""
    return " and ".join(dict.fromkeys(one.reading for one in verdicts if one.reading))


def wrong(shown: tuple[Fingerprint, ...]) -> frozenset[tuple[object, ...]]:
    """Return the deviations in a form for comparing: under any name of the target, and without the failures of tools."""
    return frozenset((item.symptom, item.clause) for item in shown if not item.words)


def kind_of_news(
    before: tuple[Verdict, ...],
    after: tuple[Verdict, ...],
    shown: frozenset[tuple[object, ...]],
    shows: frozenset[tuple[object, ...]],
) -> News | None:
    """Return the kind of change of a probe with these verdicts and these deviations."""
    if not observed(after) and observed(before):
        lacking = {verdict.outcome for verdict in after} == {Outcome.UNSUPPORTED}
        return News.UNSUPPORTED if lacking else News.LOST
    if shows - shown:
        return News.CHANGED if shown else News.NEW
    if shown - shows:
        return News.CHANGED if shows else News.GONE
    if observed(after) and not observed(before):
        return News.FOUND
    read, reads = (tuple(one.reading for one in part if one.reading) for part in (before, after))
    return News.READS if read and reads and read != reads else None


def observed(verdicts: Iterable[Verdict]) -> bool:
    """Return whether anything of a probe was observed."""
    return any(verdict.outcome in {Outcome.OBSERVED, Outcome.DIED} for verdict in verdicts)

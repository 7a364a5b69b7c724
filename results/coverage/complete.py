"""Conformance for signatures of any length, by the complete suites of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import BatchDone, Run, Suite
from abiprobe.results.verdicts.readings import CRASHED_AGAIN
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

SORTS = (Sort.COMPLETE_RECORDS, Sort.COMPLETE)
"""The sorts of complete suites, in the order in which they are asked."""
Asked: TypeAlias = tuple[str, str, str]
"""A target, a subject and a level."""
Batches: TypeAlias = Mapping[tuple[Asked, Sort, int], BatchDone]
"""The batches of complete suites, by who was asked, by sort and number."""


class Came(Enum):
    """The outcome of a signature."""

    AGREES = "agrees"
    """every side that was asked does as the model says"""
    DEVIATES = "deviates"
    """a side does otherwise"""
    KNOWN = "known"
    """each side that does otherwise does exactly what the text says with known quirks of the subject"""
    LACKING = "lacking"
    """the subject lacks a type of it"""
    UNCOMPARED = "not compared"
    """a side was not observed, or the text leaves it open"""


class Conformance(msgspec.Struct, frozen=True, rename={"level": "opt"}):
    """The outcome of the suites of one mode with a subject at a level; numbers are of signatures.

    `signatures` is their sum, with the suite for which types are drawn, and each type by itself. `states` and `classes` are those of the model.
    `known` deviate by `quirks` only, by name with the number of signatures; `deviating` are the others that do. The suites are
    `complete_for` some quirks of a dialect.
    `lacking` need a rare type that the subject lacks. Of what it has, the suites are complete without them. Where `records` is set,
    it is about every record of up to so many members instead, and there are no states.
    """

    target: str
    subject: str
    level: str
    mode: str
    extra: int
    states: int
    classes: int
    signatures: int
    agreeing: int
    known: int
    deviating: int
    lacking: int
    uncompared: int
    unasked: int
    records: int = 0
    quirks: dict[str, int] = {}
    complete_for: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        """Return whether all was asked, and what deviates does so by known quirks only."""
        return self.known > 0 and self.agreeing + self.known + self.lacking == self.signatures

    @property
    def conforms(self) -> bool:
        """Return whether the theorem holds: all was asked and agrees, but for what needs a rare type that is lacking."""
        return self.agreeing + self.lacking == self.signatures > self.lacking

    @property
    def is_proved(self) -> bool:
        """Return whether the theorem holds for the subject, with quirks for which the suites are complete as well."""
        own = self.target.partition("@")[2] == self.subject
        return self.conforms or (self.explained and own and self.quirks.keys() <= {*self.complete_for})


def conformance(run: Run) -> tuple[Conformance, ...]:
    """Return what the complete suites of a run came to, by target, subject, level and mode."""
    batches: Batches = {
        ((one.key.target, one.key.subject, one.key.level), one.key.sort, one.key.number): one
        for one in run.batches
        if one.key.sort in SORTS
    }
    modes: dict[tuple[str, str], list[Suite]] = {}
    for suite in run.header.complete:
        modes.setdefault((suite.target, suite.mode), []).append(suite)
    asked = dict.fromkeys(one for one, *_ in batches)
    first = run.header.plan.levels[:1]
    return tuple(
        of_mode(suites, one, batches)
        for one in asked
        for (target, _), suites in modes.items()
        # A layout does not depend on the level.
        if target == one[0] and (one[2] in first or not suites[0].layouts)
    )


def marks(found: Iterable[Conformance]) -> dict[tuple[str, str], dict[str, int]]:
    """Map each target and subject to the modes in which it conforms at every level asked, with the number of states up to which.

    Those of a target that is the subject's own dialect are also among those of the text, by their names, where the text has less.
    """
    levels: dict[tuple[str, str], dict[tuple[str, int], bool]] = {}
    for one in found:
        if not one.records:
            mine = levels.setdefault((one.target, one.subject), {})
            mine[one.mode, one.extra] = mine.get((one.mode, one.extra), True) and one.is_proved
    marked = {asked: most(modes) for asked, modes in levels.items()}
    for (target, subject), modes in list(marked.items()):
        text, _, dialect = target.partition("@")
        if dialect == subject:
            by_text = marked.setdefault((text, subject), {})
            more = {mode: extra for mode, extra in modes.items() if extra > by_text.get(mode, -1)}
            by_text |= {f"{mode} as {dialect}": extra for mode, extra in more.items()}
    return marked


def most(modes: Mapping[tuple[str, int], bool]) -> dict[str, int]:
    """Map each mode to the largest number of states for which all is good; none where there is none."""
    found: dict[str, int] = {}
    for (mode, extra), good in modes.items():
        if good:
            found[mode] = max(extra, found.get(mode, 0))
    return found


def of_mode(suites: Sequence[Suite], asked: Asked, batches: Batches) -> Conformance:
    """Return what the suites of a mode came to."""
    found: Counter[Came] = Counter()
    quirks: Counter[str] = Counter()
    for suite in suites:
        came: Counter[Came] = Counter()
        for number in range(suite.first, suite.first + suite.batches):
            if (asked, suite.sort, number) in batches:
                for verdicts in signatures(batches[asked, suite.sort, number]):
                    one = of_signature(verdicts)
                    came[one] += 1
                    quirks.update(behind(verdicts) if one is Came.KNOWN else ())
        if not (suite.rare or suite.types or suite.records):
            # What lacks a common type leaves states without a word that leads there.
            came[Came.UNCOMPARED] += came.pop(Came.LACKING, 0)
        found += came
    plain = suites[0]
    total = sum(suite.signatures for suite in suites)
    return Conformance(
        *asked,
        plain.mode,
        plain.extra,
        plain.states,
        max(suite.classes for suite in suites),
        total,
        found[Came.AGREES],
        found[Came.KNOWN],
        found[Came.DEVIATES],
        found[Came.LACKING],
        found[Came.UNCOMPARED],
        total - found.total(),
        plain.records,
        dict(quirks.most_common()),
        tuple(name for suite in suites for name in suite.quirks),
    )


def signatures(batch: BatchDone) -> Iterator[Sequence[Verdict]]:
    """Yield the verdicts on each signature of a batch, but for those on what it does not have."""
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in batch.verdicts:
        mine = verdicts.setdefault(verdict.probe, [])
        if verdict.outcome is not Outcome.NOTHING:
            mine.append(verdict)
    yield from verdicts.values()


def of_signature(verdicts: Sequence[Verdict]) -> Came:
    """Return what one signature came to."""
    deviating = [one for one in verdicts if one.verdict is Judgement.DEVIATES]
    others = [one for one in verdicts if one.verdict is not Judgement.DEVIATES]
    if any(one.outcome is Outcome.DIED for one in deviating):
        # A program that died by what deviates leaves no registers to look at.
        others = [one for one in others if one.kind is not ProbeKind.PRESERVATION]
    if not all(map(is_explained, deviating)):
        return Came.DEVIATES
    if any(one.outcome is Outcome.UNSUPPORTED for one in others):
        return Came.LACKING
    if not verdicts or any(one.verdict is not Judgement.AGREES for one in others):
        return Came.UNCOMPARED
    return Came.KNOWN if deviating else Came.AGREES


def is_explained(deviation: Verdict) -> bool:
    """Return whether a deviation is what quirks say, to the byte."""
    return bool(deviation.quirks) and CRASHED_AGAIN not in deviation.quirks


def behind(verdicts: Iterable[Verdict]) -> frozenset[str]:
    """Return the names of the quirks in some verdicts."""
    return frozenset(name for one in verdicts for name in one.quirks)

"""What subjects show where no text decides, held against each other: who goes together, who does not, and where they part.

Nobody is right here, and nobody to blame. Two subjects go together when everything that both show has a place in common;
a subject does not even go together with itself when its caller and its callee part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.results.journal import BatchDone
from abiprobe.results.readings import NONE
from abiprobe.results.record import Judgement, Shown, Verdict

Configuration: TypeAlias = tuple[str, str]
"""A subject and an `-O` level."""


TOGETHER = "agree with each other"
"""What is said of subjects that go together: no text is behind them."""


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """Subjects that go together, where they have the thing that is told of, and whose reading they follow, if any."""

    subjects: tuple[Configuration, ...]
    place: str
    reading: str = ""

    def __str__(self) -> str:
        reading = "" if self.reading in {"", NONE} else f" (reading: {self.reading})"
        return f"{in_words(self.subjects)}{reading}: {self.place}"


class Comparison(msgspec.Struct, frozen=True):
    """One open question as all subjects answer it: the clause that leaves it open, and the groups that go together.

    `what` is the first thing on which they part; it is empty, and there is one group, where all go together.
    """

    target: str
    probe: str
    clause: str
    why: str
    what: str
    groups: tuple[Group, ...]

    @property
    def differs(self) -> bool:
        """Whether they part."""
        return bool(self.what)

    @property
    def compared(self) -> bool:
        """Whether there was more than one subject to hold against another, or one that does not go with itself."""
        return self.differs or len({asked for group in self.groups for asked in group.subjects}) > 1

    def __str__(self) -> str:
        if not self.differs:
            return f"{', '.join(map(str, self.groups))} {TOGETHER}"
        return f"{self.what}: {'; '.join(map(str, self.groups))}"


def follows(shown: Sequence[Shown], expected: Sequence[Shown]) -> bool:
    """Whether a subject goes together with a reading; one that shows nothing comparable follows nobody."""
    told = {one.what: one for one in expected}
    common = any(one.what in told for one in shown)
    return common and torn(shown) is None and parting(shown, expected) is None


def torn(shown: Sequence[Shown]) -> str | None:
    """The first thing that a subject does not take from where it puts it."""
    return next((item.what for item in shown if item.taken), None)


def parting(one: Sequence[Shown], other: Sequence[Shown]) -> str | None:
    """The first thing that two do not have in a common place; who is torn is like one that is torn in the same way."""
    theirs = {item.what: item for item in other}
    for item in one:
        match = theirs.get(item.what)
        if match is None and item.taken:
            return item.what
        if match is not None and item != match and not goes_with(item, match):
            return item.what
    mine = {item.what for item in one}
    return next((item.what for item in other if item.taken and item.what not in mine), None)


def goes_with(one: Shown, other: Shown) -> bool:
    """Whether two have a thing in a common place."""
    return not one.taken and not other.taken and bool(set(one.at) & set(other.at))


def compare(
    target: str, probe: str, verdicts: Mapping[Configuration, Sequence[Verdict]]
) -> Comparison | None:
    """Hold against each other what all subjects show of one question; `None` where nobody shows anything."""
    shown = {asked: item for asked, found in verdicts.items() for item in found if item.shown}
    if not shown:
        return None
    first = next(iter(shown.values()))
    groups: list[list[Configuration]] = []
    what = next(filter(None, (torn(verdict.shown) for verdict in shown.values())), None)
    for asked, verdict in sorted(shown.items()):
        for group in groups:
            apart = parting(verdict.shown, shown[group[0]].shown)
            if apart is None:
                group.append(asked)
                break
            what = what or apart
        else:
            groups.append([asked])
    made = tuple(
        Group(tuple(group), place_of(shown[group[0]].shown, what or ""), shown[group[0]].reading)
        for group in groups
    )
    return Comparison(target, probe, first.clause, first.detail, what or "", made)


def place_of(shown: Sequence[Shown], what: str) -> str:
    """Where a subject has a thing, in words."""
    if not what:
        return TOGETHER
    for item in shown:
        if item.what == what:
            at = " or ".join(item.at)
            return f"{at}, but taken from {' or '.join(item.taken)}" if item.taken else at
    return "not told"


def in_words(subjects: Sequence[Configuration]) -> str:
    """Subjects with the levels at which they do something."""
    levels: dict[str, list[str]] = {}
    for subject, level in subjects:
        levels.setdefault(subject, []).append(f"-{level}")
    return ", ".join(f"{subject} {' '.join(found)}" for subject, found in levels.items())


def with_differences(
    target: str, probe: str, verdicts: Mapping[Configuration, tuple[Verdict, ...]]
) -> dict[Configuration, tuple[Verdict, ...]]:
    """The verdicts of all subjects on one question, and for those that part one that says so."""
    found = compare(target, probe, verdicts)
    if found is None or not found.differs:
        return dict(verdicts)
    parted = {asked for group in found.groups for asked in group.subjects}
    told = Verdict(probe, ProbeKind.OPEN, Judgement.DIFFERS, clause=found.clause, detail=str(found))
    return {asked: (*given, told) if asked in parted else given for asked, given in verdicts.items()}


def comparisons(batches: Iterable[BatchDone]) -> tuple[Comparison, ...]:
    """Every open question of a run that more than one subject answered, or one against itself."""
    shown: dict[tuple[str, str], dict[Configuration, tuple[Verdict, ...]]] = {}
    for batch in batches:
        asked = (batch.key.subject, batch.key.level)
        for verdict in batch.verdicts:
            if verdict.shown:
                shown.setdefault((batch.key.target, verdict.probe), {})[asked] = (verdict,)
    every = (compare(*key, found) for key, found in shown.items())
    return tuple(found for found in every if found is not None and found.compared)


class OpenClause(msgspec.Struct, frozen=True):
    """The questions that one clause leaves open: how many were compared, on how many subjects part, and the smallest of these.

    `clause` is empty where there is no model; `question` is `None` when the journal does not keep it.
    """

    target: str
    clause: str
    compared: int
    differs: int
    example: Comparison | None = None
    question: Question | None = None


def open_clauses(batches: Collection[BatchDone]) -> tuple[OpenClause, ...]:
    """What subjects do where no text decides, by clause, those first on which they part most often."""
    kept: dict[str, Question] = {}
    found: dict[tuple[str, str], list[Comparison]] = {}
    for item in comparisons(batches):
        found.setdefault((item.target, item.clause), []).append(item)
    parted = {item.probe for items in found.values() for item in items if item.differs}
    for batch in batches if parted else ():
        kept |= {one.probe: one.question for one in batch.kept if one.probe in parted}
    made = []
    for (target, clause), items in found.items():
        differing = [item for item in items if item.differs]
        first = min(differing, key=lambda item: size(item, kept.get(item.probe)), default=None)
        question = None if first is None else kept.get(first.probe)
        made.append(OpenClause(target, clause, len(items), len(differing), first, question))
    return tuple(sorted(made, key=lambda item: (-item.differs, item.target, item.clause)))


def size(item: Comparison, question: Question | None) -> tuple[int, str]:
    """How large a question is, for choosing examples."""
    return (len(str(question)) if question is not None else 1 << 30, item.probe)

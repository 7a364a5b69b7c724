"""What subjects show where no text decides, held against each other: who goes together, who does not, and where they part.

Nobody is right here, and nobody to blame. Two subjects go together when everything that both show has a place in common.
A subject contradicts itself when its caller and its callee part; others are not held against it where it does.
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
CONTRADICTS = "contradicts itself:"
"""What is said of a subject whose caller and callee part."""


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

    `what` is the first thing on which they part; it is empty, and there is one group, where all go together. `torn` are
    those that contradict themselves, each with the first thing that it does not take from where it puts it.
    """

    target: str
    probe: str
    clause: str
    why: str
    what: str
    groups: tuple[Group, ...]
    torn: tuple[Group, ...] = ()

    @property
    def parted(self) -> bool:
        """Whether two of them part."""
        return bool(self.what)

    @property
    def differs(self) -> bool:
        """Whether two of them part, or one contradicts itself."""
        return self.parted or bool(self.torn)

    @property
    def concerned(self) -> tuple[Configuration, ...]:
        """Who parts from somebody, or from itself."""
        found = (asked for group in (*self.groups * self.parted, *self.torn) for asked in group.subjects)
        return tuple(dict.fromkeys(found))

    @property
    def compared(self) -> bool:
        """Whether there was more than one subject to hold against another, or one that contradicts itself."""
        return self.differs or len({asked for group in self.groups for asked in group.subjects}) > 1

    def __str__(self) -> str:
        if not self.differs:
            return f"{', '.join(map(str, self.groups))} {TOGETHER}"
        parted = (f"{self.what}: {'; '.join(map(str, self.groups))}",) if self.parted else ()
        return "; ".join((*parted, *(f"{CONTRADICTS} {group}" for group in self.torn)))


def follows(shown: Sequence[Shown], expected: Sequence[Shown]) -> bool:
    """Whether a subject goes together with a reading; one that shows nothing comparable follows nobody."""
    by_what = {one.what: one for one in expected}
    common = any(one.what in by_what for one in shown)
    return common and torn(shown) is None and parting(shown, expected) is None


def torn(shown: Sequence[Shown]) -> Shown | None:
    """The first thing that a subject does not take from where it puts it."""
    return next((item for item in shown if item.taken), None)


def parting(one: Sequence[Shown], other: Sequence[Shown]) -> str | None:
    """The first thing that two do not have in a common place, of those about which neither contradicts itself."""
    theirs = {item.what: item for item in other if not item.taken}
    for item in one:
        match = theirs.get(item.what)
        if not item.taken and match is not None and not set(item.at) & set(match.at):
            return item.what
    return None


def compare(
    target: str, probe: str, verdicts: Mapping[Configuration, Sequence[Verdict]]
) -> Comparison | None:
    """Hold against each other what all subjects show of one question; `None` where nobody shows anything."""
    shown = {
        asked: item
        for asked, found in verdicts.items()
        for item in found
        if item.shown and item.verdict is not Judgement.DIFFERS
    }
    if not shown:
        return None
    # One that the text decides for is shown beside those about which it is silent.
    first = max(shown.values(), key=lambda item: bool(item.clause))
    groups: list[list[Configuration]] = []
    what = None
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
    return Comparison(
        target, probe, first.clause, first.detail, what or "", made, contradictions(sorted(shown.items()))
    )


def contradictions(shown: Iterable[tuple[Configuration, Verdict]]) -> tuple[Group, ...]:
    """Those that contradict themselves, together where they do so alike."""
    found: dict[str, list[Configuration]] = {}
    for asked, verdict in shown:
        first = torn(verdict.shown)
        if first is not None:
            found.setdefault(f"{first.what} {place_in_words(first)}", []).append(asked)
    return tuple(Group(tuple(group), place) for place, group in found.items())


def place_of(shown: Sequence[Shown], what: str) -> str:
    """Where a subject has a thing, in words."""
    if not what:
        return TOGETHER
    return next((place_in_words(item) for item in shown if item.what == what), "not told")


def place_in_words(item: Shown) -> str:
    """Where a subject has a thing, and where it looks for it instead."""
    at = " or ".join(item.at)
    return f"{at}, but taken from {' or '.join(item.taken)}" if item.taken else at


def in_words(subjects: Sequence[Configuration]) -> str:
    """Subjects with the levels at which they do something."""
    levels: dict[str, list[str]] = {}
    for subject, level in subjects:
        levels.setdefault(subject, []).append(f"-{level}")
    return ", ".join(f"{subject} {' '.join(found)}" for subject, found in levels.items())


def with_differences(
    target: str, probe: str, verdicts: Mapping[Configuration, tuple[Verdict, ...]]
) -> dict[Configuration, tuple[Verdict, ...]]:
    """The verdicts of all subjects on one question; those that part have one that says so, as have those that are torn.

    The verdict on one that contradicts itself alone shows on what.
    """
    found = compare(target, probe, verdicts)
    if found is None or not found.differs:
        return dict(verdicts)
    judged = dict(verdicts)
    apart = Verdict(probe, ProbeKind.OPEN, Judgement.DIFFERS, clause=found.clause, detail=str(found))
    for asked in found.concerned:
        tears = tuple(item for one in verdicts[asked] for item in one.shown if item.taken)[:1]
        own = (msgspec.structs.replace(apart, shown=tears),) if tears else ()
        judged[asked] = (*verdicts[asked], *((apart,) if found.parted else ()), *own)
    return judged


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
    """The questions that one clause leaves open: how many were compared, and the smallest on which subjects part.

    Subjects part on `parted` of them, on `torn` one contradicts itself, and on `differs` either. `clause` is empty where
    there is no model; `question` is `None` when the journal does not keep it.
    """

    target: str
    clause: str
    compared: int
    differs: int
    example: Comparison | None = None
    question: Question | None = None
    parted: int = 0
    torn: int = 0

    @property
    def in_words(self) -> str:
        """On how many subjects differ, and on how many one contradicts itself."""
        torn = f"a subject contradicts itself on {self.torn}"
        if not self.parted:
            return torn
        return f"subjects differ on {self.parted}" + (f", {torn}" if self.torn else "")


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
        first = min(
            differing, key=lambda item: (not item.parted, *size(item, kept.get(item.probe))), default=None
        )
        question = None if first is None else kept.get(first.probe)
        apart = sum(one.parted for one in items)
        torn_alone = sum(bool(one.torn) for one in items)
        made.append(
            OpenClause(target, clause, len(items), len(differing), first, question, apart, torn_alone)
        )
    return tuple(sorted(made, key=lambda item: (-item.differs, item.target, item.clause)))


def size(item: Comparison, question: Question | None) -> tuple[int, str]:
    """How large a question is, for choosing examples."""
    return (len(str(question)) if question is not None else 1 << 30, item.probe)

"""Wrong places of parameters that are given in the same way become causes, each with the smallest prototype that shows them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.debugging.image import Answer
from abiprobe.harness.debugging.judging import Declared, Fact, Shown
from abiprobe.harness.debugging.smallest import smallest
from abiprobe.harness.debugging.sweep import Answered, Share, Way, answered, built
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.unwind.sorting import Search, grouped
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.traits import alike, traits
from abiprobe.results.known.ways import Entry

Wrong: TypeAlias = Fact | Declared
LEVELS = ("O2", "O0", "O1", "Os")
"""The levels at which an example is tried."""


class Member(msgspec.Struct, frozen=True):
    """A function of which something is wrong in one way, and what."""

    way: Way
    function: Prototype
    wrong: tuple[Wrong, ...]


class Cause(msgspec.Struct, frozen=True):
    """A kind of what is wrong on a target: functions by subject, the smallest one, how it was compiled and what is wrong in it."""

    target: str
    kind: str
    counts: dict[str, int]
    way: Way
    function: Prototype
    wrong: tuple[Wrong, ...]
    reduced: bool


def members(share: Share, found: Answered) -> Iterator[tuple[str, Member]]:
    """The functions of a unit of which something is wrong, for each kind."""
    for function, answer in zip(share.functions, found, strict=True):
        kinds: dict[str, list[Wrong]] = {}
        for one in () if isinstance(answer, Failed) else wrong(answer):
            kinds.setdefault(one.kind, []).append(one)
        for kind, some in kinds.items():
            yield kind, Member(share.way, function, tuple(some))


def wrong(answer: Answer) -> Iterator[Wrong]:
    """Everything that is wrong of a function."""
    yield from answer.declared
    yield from (one for one in answer.facts if one.shown is Shown.WRONG)


def verdict(one: Wrong) -> str:
    """A wrong place, or a wrong declaration, in a line."""
    if isinstance(one, Declared):
        return f"{one.what}: {one.found}; it is {one.expected}"
    return f"{one.name} ({one.type}) {one.point.value}: {one.found}; it is {one.expected}"


def causes(found: Iterable[tuple[str, Member]], seconds: float) -> list[Cause]:
    """The causes, those of most functions first, with the smallest prototypes that are found in so many seconds for each."""
    groups = grouped(((member.way.target, kind), member) for kind, member in found)
    return [cause(target, kind, some, time.monotonic() + seconds) for (target, kind), some in groups]


def cause(target: str, kind: str, some: Sequence[Member], deadline: float) -> Cause:
    """One cause, reduced until a time."""
    member = min(some, key=lambda one: cost(one.function))
    counts = Counter(one.way.subject.spelling for one in some)
    function, finished = smallest(
        member.function,
        lambda one: one.params,
        lambda several: [one.function for one in showing(Share(member.way, tuple(several)), kind)],
        deadline,
    )
    shown = next(iter(showing(Share(member.way, (function,)), kind)), member)
    return Cause(target, kind, dict(counts), member.way, shown.function, shown.wrong, finished)


def showing(share: Share, kind: str) -> list[Member]:
    """The functions of a unit that show a kind."""
    return [member for each, member in members(share, answered(share)) if each == kind]


def shows(entry: Entry, way: Way) -> bool | None:
    """Return whether the example of an entry shows it to a compiler on a target; `None` if it cannot be looked at there."""
    functions = declared_in(entry.example, find_target(way.target)).functions
    looked = False
    for level in LEVELS:
        share = Share(msgspec.structs.replace(way, level=level), functions)
        found = answered(share)
        looked |= not all(isinstance(one, Failed) for one in found)
        if any(kind in entry.wrong for kind, _ in members(share, found)):
            return True
    return False if looked else None


SEARCH: Search[Way, str, Member, Cause] = Search(
    place=lambda way: (way.target, way.subject.spelling),
    version=lambda way: (way.subject.spelling, identity(built(way).command).version),
    traits=lambda member: alike(traits(member.function)),
    shows=shows,
    causes=causes,
)

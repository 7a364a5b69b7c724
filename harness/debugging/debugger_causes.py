"""Values that a debugger has wrong become causes, each with the smallest prototype that shows it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.debugging.debuggers import Debugger, Seen, looked
from abiprobe.harness.debugging.smallest import smallest
from abiprobe.harness.debugging.sweep import UNIT, Way, bench_of, built, planned
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.unwind.sorting import Search, grouped
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.traits import alike, traits
from abiprobe.results.known.ways import Entry
from abiprobe.results.verdicts.record import Outcome

KNOWN_TYPES = frozenset(
    {"__int128", "_Complex", "vector", "long double", "empty record", "alignas", "aligned"}
)
"""The features of C that debuggers are asked about: every compiler has them, and they read their debug information."""

Looked: TypeAlias = tuple[tuple[Seen, ...] | Failed, ...]


class Asked(msgspec.Struct, frozen=True):
    """A debugger with the way in which its programs are compiled."""

    way: Way
    debugger: Debugger


class Member(msgspec.Struct, frozen=True):
    """A function of which a debugger has something wrong in one way."""

    asked: Asked
    function: Prototype


class Cause(msgspec.Struct, frozen=True):
    """A kind of values that a debugger has wrong on a target: functions, the smallest one, and what is wrong in it."""

    asked: Asked
    kind: str
    functions: int
    function: Prototype
    wrong: tuple[Seen, ...]
    reduced: bool


def is_asked(function: Prototype) -> bool:
    """Return whether a debugger is asked about a function."""
    return not function.variadic and function.convention is None and features(function) <= KNOWN_TYPES


def look(
    asked: Asked, functions: Sequence[Prototype]
) -> Iterator[tuple[Prototype, tuple[Seen, ...] | Failed]]:
    """Yield what the debugger has of each function, a program for each unit."""
    for at in range(0, len(functions), UNIT):
        some = functions[at : at + UNIT]
        plans = {number: planned(asked.way.target, one) for number, one in enumerate(some)}
        with_plans = [(number, plan) for number, plan in plans.items() if isinstance(plan, CallPlan)]
        found: dict[int, tuple[Seen, ...] | Failed] = {
            number: Failed(Outcome.UNSUPPORTED, plan)
            for number, plan in plans.items()
            if isinstance(plan, str)
        }
        with temporary() as folder:
            attempt = Attempt(bench_of(asked.way.target), built(asked.way), Path(folder), Limits())
            answers = bisected(
                attempt,
                [plan for _, plan in with_plans],
                lambda work, few, _text: looked(work, few, asked.debugger),
            )
            found |= {number: one for (number, _), (_, one) in zip(with_plans, answers, strict=True)}
        yield from ((one, found[number]) for number, one in enumerate(some))


def kinds(seen: Sequence[Seen] | Failed) -> list[str]:
    """The ways in which a debugger is wrong about a function, or how it dies of it."""
    if isinstance(seen, Failed):
        return [f"crash: {seen.words}"] if seen.outcome is Outcome.CRASHED else []
    return [one.kind for one in wrong(seen)]


def wrong(seen: Sequence[Seen]) -> tuple[Seen, ...]:
    """The values of a function that are wrong, of arguments the first alone: it may move the others."""
    found: dict[str, Seen] = {}
    for one in seen:
        if one.is_right is False:
            found.setdefault(one.action.value, one)
    return tuple(found.values())


def members(asked: Asked, function: Prototype, seen: Sequence[Seen] | Failed) -> list[tuple[str, Member]]:
    """A function once for each way in which the debugger is wrong about it."""
    return [(kind, Member(asked, function)) for kind in kinds(seen)]


def causes(found: Sequence[tuple[str, Member]], seconds: float) -> list[Cause]:
    """The causes of functions by their kinds, those of most functions first, reduced for so many seconds each."""
    groups = grouped(((member.asked, kind), member.function) for kind, member in found)
    return [cause(asked, kind, some, time.monotonic() + seconds) for (asked, kind), some in groups]


def cause(asked: Asked, kind: str, some: Sequence[Prototype], deadline: float) -> Cause:
    """One cause, reduced until a time."""
    function, finished = smallest(
        min(some, key=cost),
        is_asked,
        lambda several: [one for one, _ in showing(asked, several, kind)],
        deadline,
    )
    seen = next((seen for _, seen in showing(asked, [function], kind)), ())
    return Cause(asked, kind, len(some), function, seen, finished)


def showing(
    asked: Asked, functions: Sequence[Prototype], kind: str
) -> list[tuple[Prototype, tuple[Seen, ...]]]:
    """The functions that show a kind, with what is wrong in them."""
    return [
        (one, () if isinstance(seen, Failed) else wrong(seen))
        for one, seen in look(asked, functions)
        if kind in kinds(seen)
    ]


def shows(entry: Entry, asked: Asked) -> bool | None:
    """Return whether the example of an entry shows it to a debugger; `None` if it cannot be looked at."""
    functions = declared_in(entry.example, find_target(asked.way.target)).functions
    found = [seen for _, seen in look(asked, functions)]
    if any(kind in entry.wrong for seen in found for kind in kinds(seen)):
        return True
    return None if all(isinstance(seen, Failed) for seen in found) else False


SEARCH: Search[Asked, str, Member, Cause] = Search(
    place=lambda asked: (asked.way.target, str(asked.debugger)),
    version=lambda asked: (asked.debugger.kind, asked.debugger.version),
    traits=lambda member: alike(traits(member.function)),
    shows=shows,
    causes=causes,
)

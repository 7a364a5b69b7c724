"""Prototypes that differ in the same way become causes, each with the smallest prototype that differs so.

The smallest member of a group is reduced. Where the result shows the difference as well, the members there that have all its
traits are put down to it; the smallest of the others is reduced next.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.names import renamed
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lowerings.comparing import Difference, differences
from abiprobe.harness.observers.lowerings.compilers import compiler_at
from abiprobe.harness.observers.lowerings.ir_text import UnreadableError
from abiprobe.harness.observers.lowerings.lowering import Lowered
from abiprobe.harness.observers.lowerings.place import Place
from abiprobe.harness.observers.lowerings.signature import Role
from abiprobe.harness.observers.lowerings.sweep import Member
from abiprobe.oracles.lang import Prototype
from abiprobe.results.traits import alike, needed, traits

FIRST_BATCH, NEXT_BATCH = 48, 160
"""How many candidates are lowered together."""
MOST = 6
"""Reductions for one group at most."""


class Group(msgspec.Struct, frozen=True):
    """Members that differ in the same way, to be reduced until `deadline` (monotonic clock)."""

    pair: tuple[str, str]
    difference: Difference
    members: tuple[Member, ...]
    deadline: float = math.inf


class Cause(msgspec.Struct, frozen=True):
    """One way in which two lowerings differ, with the smallest prototype that shows it, at the place where it was reduced.

    `lines` are the IR of both for it. `counts` has the members by place, `seen` all ways in which this prototype differs.
    """

    pair: tuple[str, str]
    difference: Difference
    function: Prototype
    place: Place
    counts: dict[str, int]
    seen: tuple[Difference, ...]
    lines: tuple[dict[str, str], dict[str, str]]
    reduced: bool = True


def groups(members: Iterable[Member], deadline: float = math.inf) -> tuple[Group, ...]:
    """The groups of members, the largest first; a member is in one for each way in which it differs."""
    found: dict[tuple[tuple[str, str], Difference], list[Member]] = {}
    for member in members:
        for one in member.differences:
            found.setdefault((member.pair, one), []).append(member)
    made = (Group(pair, one, tuple(of_it), deadline) for (pair, one), of_it in found.items())
    return tuple(
        sorted(made, key=lambda each: (not each.difference.abi, -len(each.members), each.difference))
    )


def causes(members: Iterable[Member], jobs: int, deadline: float = math.inf) -> tuple[Cause, ...]:
    """The causes of all groups, `jobs` groups at a time; those that reduce to one prototype are one."""
    asked = groups(members, deadline)
    work = Work(reduce_in_worker, unreduced)
    found: dict[tuple[tuple[str, str], Prototype], Cause] = {}
    for many in in_order(results(work, asked, jobs)) if asked else ():
        for one in many:
            key = one.pair, one.function
            found[key] = one if key not in found else together(found[key], one)
    return tuple(sorted(found.values(), key=lambda one: (not one.difference.abi, -sum(one.counts.values()))))


def together(one: Cause, other: Cause) -> Cause:
    """One cause of two that have the same smallest prototype."""
    counts = {
        name: max(one.counts.get(name, 0), other.counts.get(name, 0))
        for name in dict.fromkeys((*one.counts, *other.counts))
    }
    seen = tuple(dict.fromkeys((*one.seen, *other.seen)))
    return msgspec.structs.replace(one, counts=counts, seen=seen)


def reduce_in_worker(group: Group) -> tuple[Cause, ...]:
    """Run `reduce_group` in a worker process that can be stopped."""
    return leaving(reduce_group, group)


def unreduced(group: Group) -> tuple[Cause, ...]:
    """A group on which workers die, as the sweep saw it."""
    return (as_seen(group, sorted(group.members, key=lambda one: cost(one.function))),)


def reduce_group(group: Group) -> tuple[Cause, ...]:
    """The causes of one group."""
    left = sorted(group.members, key=lambda one: cost(one.function))
    has = {id(one): alike(traits(one.function)) for one in left}
    found: list[Cause] = []
    while left and len(found) < MOST and time.monotonic() < group.deadline:
        smallest = left[0]
        function = reduced(group, smallest)
        wanted = needed(traits(function))
        at = {place for place in dict.fromkeys(one.place for one in left) if shows(group, place, [function])}
        mine = [one for one in left if one is smallest or (one.place in at and wanted <= has[id(one)])]
        left = [one for one in left if one not in mine]
        found.append(cause(group, smallest.place, function, mine))
    return (*found, *((as_seen(group, left),) if left else ()))


def reduced(group: Group, member: Member) -> Prototype:
    """The smallest prototype that differs as the group does where a member does."""
    current = member.function
    while time.monotonic() < group.deadline:
        waiting: Sequence[Prototype] = [one for one in candidates(current) if isinstance(one, Prototype)]
        better: list[Prototype] = []
        length = FIRST_BATCH
        while waiting and not better and time.monotonic() < group.deadline:
            now, waiting = waiting[:length], waiting[length:]
            better = shows(group, member.place, now)
            length = NEXT_BATCH
        if not better:
            break
        current = min(better, key=cost)
    named = renamed(current)
    assert isinstance(named, Prototype)
    return named if shows(group, member.place, [named]) else current


def shows(group: Group, place: Place, functions: Sequence[Prototype]) -> list[Prototype]:
    """Those of some prototypes that differ as the group does at a place."""
    return [
        function
        for function, both in zip(functions, lowered(group.pair, place, functions), strict=True)
        if both is not None and group.difference in ways(*both)
    ]


def ways(left: Lowered, right: Lowered) -> tuple[Difference, ...]:
    """How two lowerings of a prototype differ, as far as their IR can be read."""
    try:
        return differences(left, right)
    except UnreadableError:
        return ()


def lowered(
    pair: tuple[str, str], place: Place, functions: Sequence[Prototype]
) -> list[tuple[Lowered, Lowered] | None]:
    """Both lowerings of prototypes; `None` for one that either does not take."""
    left, right = answers_of(pair, place, functions)
    return [
        None
        if isinstance(one := left[number], Failed) or isinstance(other := right[number], Failed)
        else (one, other)
        for number in range(len(functions))
    ]


def answers_of(
    pair: tuple[str, str], place: Place, functions: Sequence[Prototype]
) -> tuple[dict[int, Lowered | Failed], dict[int, Lowered | Failed]]:
    """What each of two lowerings makes of prototypes."""
    first, second = (answers_by(name, place, functions) for name in pair)
    return first, second


def answers_by(name: str, place: Place, functions: Sequence[Prototype]) -> dict[int, Lowered | Failed]:
    """What a lowering makes of prototypes."""
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        compiler = compiler_at(place, name, Path(folder))
        assert compiler is not None, "what differs has been compiled"
        return compiler.lower(functions).found


def cause(
    group: Group, place: Place, function: Prototype, mine: Sequence[Member], *, whole: bool = True
) -> Cause:
    """A cause with the IR of both lowerings for its prototype."""
    (both,) = lowered(group.pair, place, [function])
    counts = Counter(one.place.name for one in mine)
    if both is None:
        return Cause(
            group.pair, group.difference, function, place, dict(counts), (group.difference,), ({}, {}), whole
        )
    left, right = (text_of(each) for each in both)
    return Cause(
        group.pair, group.difference, function, place, dict(counts), ways(*both), (left, right), whole
    )


def text_of(one: Lowered) -> dict[str, str]:
    """The lines of a lowering, by what they are."""
    return {role.value: one.lines[role] for role in Role}


def as_seen(group: Group, left: Sequence[Member]) -> Cause:
    """Members that were not reduced, with the smallest of them as it is."""
    return cause(group, left[0].place, left[0].function, left, whole=False)

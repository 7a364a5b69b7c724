"""Prototypes that differ in the same way become causes, each with the smallest prototype that differs so.

The smallest member of a group is reduced. Where the result shows the difference as well, the members there that have all its
traits are put down to it; the smallest of the others is reduced next.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.names import renamed
from abiprobe.generators.reduction.shrinking import shrink
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.lowerings.both import Memory
from abiprobe.harness.lowerings.comparing import Difference
from abiprobe.harness.lowerings.lowering import Lowered
from abiprobe.harness.lowerings.place import Pair, Place
from abiprobe.harness.lowerings.signature import Role
from abiprobe.harness.lowerings.sweep import Member
from abiprobe.oracles.language.lang import Prototype
from abiprobe.results.causes.attribution import attributed
from abiprobe.results.causes.traits import alike, needed, traits

MOST = 6
"""Reductions for one group at most."""


NUMBERED = re.compile(r"(?<=\w)_\d+(?=\W)")
"""The number of a prototype behind the names of its functions and types."""


class Group(msgspec.Struct, frozen=True):
    """Members that differ in the same way, to be reduced until `deadline` (monotonic clock)."""

    pair: Pair
    difference: Difference
    members: tuple[Member, ...]
    deadline: float = math.inf


class Cause(msgspec.Struct, frozen=True):
    """One way in which two lowerings differ, with the smallest prototype that shows it, at the place where it was reduced.

    `lines` are the IR of both for it. `counts` has the members by place, `seen` all ways in which this prototype differs.
    """

    pair: Pair
    difference: Difference
    function: Prototype
    place: Place
    counts: dict[str, int]
    seen: tuple[Difference, ...]
    lines: tuple[dict[str, str], dict[str, str]]
    reduced: bool = True


def groups(members: Iterable[Member], deadline: float = math.inf) -> tuple[Group, ...]:
    """The groups of members, the largest first; a member is in one for each way in which it differs."""
    found: dict[tuple[Pair, Difference], list[Member]] = {}
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
    found: dict[tuple[Pair, Prototype], Cause] = {}
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
    return (as_seen(group, sorted(group.members, key=lambda one: cost(one.function)), Memory(group.pair)),)


def reduce_group(group: Group) -> tuple[Cause, ...]:
    """The causes of one group."""
    left = sorted(group.members, key=lambda one: cost(one.function))
    has = {id(one): alike(traits(one.function)) for one in left}
    memory = Memory(group.pair)

    def reduce(some: Sequence[Member]) -> Reduction | None:
        if time.monotonic() >= group.deadline:
            return None
        member = some[0]
        function = reduced(group, member, memory)
        places = dict.fromkeys(one.place for one in some)
        at = frozenset(place for place in places if memory.differing(group.difference, place, [function]))
        return Reduction(member.place, function, at, needed(traits(function)))

    def explains(one: Reduction, member: Member) -> bool:
        return member.place in one.at and one.traits <= has[id(member)]

    reductions, rest = attributed(left, reduce, explains, MOST)
    found = [cause(group, memory, one.place, one.function, mine) for one, mine in reductions]
    return (*found, *((as_seen(group, rest, memory),) if rest else ()))


class Reduction(NamedTuple):
    """The smallest prototype of a member at its place, all places at which it differs as the group does, and its traits."""

    place: Place
    function: Prototype
    at: frozenset[Place]
    traits: frozenset[str]


def reduced(group: Group, member: Member, memory: Memory) -> Prototype:
    """The smallest prototype that differs as the group does where a member does.

    All are asked under the names that the smallest one will have, so that what a reduction before it asked is known.
    """
    current = named(member.function)
    if not memory.differing(group.difference, member.place, [current]):
        return member.function
    shrunk = shrink(
        current,
        lambda one: [named(smaller) for smaller in candidates(one) if isinstance(smaller, Prototype)],
        lambda some: memory.differing(group.difference, member.place, some),
        lambda: time.monotonic() >= group.deadline,
    )
    return shrunk.question


def named(function: Prototype) -> Prototype:
    """A prototype under the names that a reader expects."""
    found = renamed(function)
    assert isinstance(found, Prototype)
    return found


def cause(
    group: Group,
    memory: Memory,
    place: Place,
    function: Prototype,
    mine: Sequence[Member],
    *,
    whole: bool = True,
) -> Cause:
    """A cause with the IR of both lowerings for its prototype."""
    (both,) = memory.lowered(place, [function])
    seen = memory.ways[place, function] or (group.difference,)
    left, right = ({}, {}) if both is None else map(text_of, both)
    counts = Counter(one.place.name for one in mine)
    return Cause(
        group.pair, group.difference, function, place, dict(counts), seen, (left, right), reduced=whole
    )


def text_of(one: Lowered) -> dict[str, str]:
    """The lines of a lowering, by what they are, as if its prototype had been the only one of its unit."""
    return {role.value: NUMBERED.sub("_0", one.lines[role]) for role in Role}


def as_seen(group: Group, left: Sequence[Member], memory: Memory) -> Cause:
    """Members that were not reduced, with the smallest of them as it is."""
    return cause(group, memory, left[0].place, left[0].function, left, whole=False)

"""Flavours of small structs whose size or likeness decides how they are passed; few are larger than 32 bytes."""

from __future__ import annotations

from abiprobe.generators.extent import LEAST_ROOM, extent
from abiprobe.generators.rare import value
from abiprobe.generators.scalars import plain, real, wide
from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.lang import Array, Kind, Member, Scalar

_EDGES = (16, 8, 9, 17, 7, 15, 24, 31, 32, 3, 12, 1, 25)
_FIRSTS = tuple(map(Scalar, (Kind.INT, Kind.DOUBLE, Kind.FLOAT, Kind.LLONG)))
_FILLERS = tuple(map(Scalar, (Kind.CHAR, Kind.SHORT, Kind.FLOAT)))


def twins(scope: Scope, _room: int, _depth: int) -> tuple[Member, ...]:
    """Two members of one floating type."""
    scope.draw.burden(5)
    c_type = real(scope) if scope.draw.below(4) < 3 else wide(scope)
    if extent(c_type)[0] > 16:
        return (Member(c_type, scope.name()),)
    twin = Member(c_type, scope.name()), Member(c_type, scope.name())
    return twin[: scope.bounds.members]


def hollow(scope: Scope, room: int, depth: int) -> tuple[Member, ...]:
    """No element at all: arrays of length zero, behind which a record may end with a flexible one."""
    if not scope.allows("zero-length array"):
        return twins(scope, room, depth)
    scope.draw.burden(5)
    count = min(1 + scope.draw.below(2), scope.bounds.members)
    return tuple(Member(Array(plain(scope), 0), scope.name()) for _ in range(count))


def parts(scope: Scope, _room: int, _depth: int) -> tuple[Member, ...]:
    """One to three scalars, of which any may be of the dialect: a record whose layout nobody doubts."""
    scope.draw.burden(4)
    count = min(1 + scope.draw.below(3), scope.bounds.members)
    return tuple(Member(value(scope, LEAST_ROOM), scope.name()) for _ in range(count))


def edge(scope: Scope, _room: int, _depth: int) -> tuple[Member, ...]:
    """A size at or beside the limits of passing in registers: one scalar, filled up by an array of narrow ones."""
    scope.draw.burden(4)
    size = scope.draw.pick(_EDGES)
    filler = scope.draw.pick(_FILLERS)
    first = scope.draw.pick(_FIRSTS)
    left = size - extent(first)[0]
    unit = extent(filler)[0]
    if left < unit or scope.bounds.members < 2:
        return (Member(Array(filler, max(1, size // unit)), scope.name()),)
    return Member(first, scope.name()), Member(Array(filler, left // unit), scope.name())

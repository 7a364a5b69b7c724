"""Types that only some dialects have: `_BitInt`, vectors, `_Atomic`, typedefs of an alignment of their own.

`room` is the size in bytes that a type may take.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from abiprobe.generators.extent import SCALABLE_BYTES, extent, most_aligned
from abiprobe.generators.scalars import enumeration, plain
from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.features import KINDS
from abiprobe.oracles.language.lang import (
    DECIMAL,
    SCALABLE,
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    Type,
    Typedef,
    Vector,
)

Maker: TypeAlias = Callable[[Scope, int], Type]

ALIGNMENTS = (16, 8, 4, 2, 1, 32, 64)
"""Alignments that `aligned` asks for, in bytes."""

_SIZES = (16, 8, 4, 32, 64, 2)
_ELEMENTS = (
    *(Kind.INT, Kind.FLOAT, Kind.DOUBLE),
    *(kind for kind in Kind if kind not in {Kind.BOOL, Kind.LDOUBLE, *DECIMAL}),
)
_LARGEST_ATOMIC = 16


def scalar(scope: Scope, room: int) -> Type:
    """A type that is not made of members: a plain one, or as often one of the dialect."""
    return _one_of(scope, room, _members_of(scope.dialect))


def value(scope: Scope, room: int) -> Type:
    """Return a scalar that can be passed: never `_Atomic`, which no argument is once it is read."""
    return _one_of(scope, room, _values_of(scope.dialect))


def _one_of(scope: Scope, room: int, makers: tuple[Maker, ...]) -> Type:
    if makers and scope.draw.below(2):
        return scope.draw.pick(makers)(scope, room)
    return plain(scope)


def bit_int(scope: Scope, _room: int) -> Type:
    """A `_BitInt`, of a width beside a power of two or of any."""
    most = 256 if scope.allows("wide _BitInt") else 128
    signed = scope.draw.below(2) == 0
    if scope.draw.below(2):
        return BitInt(2 + scope.draw.below(most - 1), signed)
    width = scope.draw.pick(_WIDTHS[: _WIDTHS.index(most) + 1])
    return BitInt(max(width, 1 + signed), signed)


_WIDTHS = (1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 191, 192, 193, 255, 256)


def vector(scope: Scope, room: int) -> Type:
    """A vector of integers or floating numbers, whose size no target refuses."""
    kind = scope.draw.pick(_elements(scope.features))
    least, most = extent(Scalar(kind))[0], most_aligned(room)
    return Vector(kind, scope.draw.pick([size for size in _SIZES if least <= size <= most]))


@cache
def _elements(features: frozenset[str]) -> tuple[Kind, ...]:
    rare = (Kind.LDOUBLE,) * 8 if features >= {"long double", "long double vector"} else ()
    return tuple(kind for kind in _ELEMENTS if KINDS.get(kind, "vector") in features) + rare


def scalable(scope: Scope, room: int) -> Type:
    """A scalable vector, a tuple of them or a mask, of at most eight registers."""
    if scope.draw.below(4) == 3:
        return ScalableMask(scope.draw.pick((8, 1, 2, 4, 16, 32, 64)))
    kind = scope.draw.pick(tuple(SCALABLE))
    bits = extent(Scalar(kind))[0] * 8
    groups = [group for group in _GROUPS if group * 8 >= bits and group * SCALABLE_BYTES // 8 <= room]
    group = scope.draw.pick(groups)
    fields = scope.draw.below(8) + 1 if group >= 8 and scope.draw.below(4) == 3 else 1
    most = min(64 // max(group, 8), room // (max(group, 8) * SCALABLE_BYTES // 8))
    return Scalable(kind, group, max(1, min(fields, most)))


_GROUPS = (8, 16, 32, 64, 4, 2, 1)
"""LMUL in eighths; an element fits into the least group of its type (ELEN is 64)."""


def complex_integer(scope: Scope, _room: int) -> Complex:
    """A complex integer of GNU C, of a size that every compiler with some has."""
    return Complex(scope.draw.pick(PARTS))


PARTS = (Kind.INT, Kind.CHAR, Kind.SHORT, Kind.LLONG, Kind.UINT, Kind.UCHAR, Kind.SCHAR, Kind.ULONG)
"""The kinds of the parts of complex integers."""


def atomic(scope: Scope, _room: int) -> Type:
    """`_Atomic` of a scalar."""
    return Atomic(enumeration(scope) if scope.draw.below(8) == 7 else plain(scope))


def disguised(scope: Scope, room: int, record: Record) -> Type:
    """`record` itself, or `_Atomic` of it, or a typedef with an alignment of its own."""
    if scope.allows("_Atomic record") and _can_be_atomic(record) and scope.draw.below(2):
        return Atomic(record)
    if scope.allows("typedef aligned") and scope.draw.below(4) == 3:
        return aligned_typedef(scope, room, record)
    return record


def _can_be_atomic(record: Record) -> bool:
    """Return whether a record has something to load, in one piece; larger atomics are guarded by locks."""
    arrays = [member.type for member in record.members if isinstance(member.type, Array)]
    return 0 < extent(record)[0] <= _LARGEST_ATOMIC and all(array.length for array in arrays)


def aligned_typedef(scope: Scope, room: int, base: Type | None = None) -> Typedef:
    """A typedef of more or less than the natural alignment; of any type where `base` is `None`."""
    if base is None:
        base = scope.draw.pick(_BASES)(scope, room)
    align = scope.draw.pick([align for align in ALIGNMENTS if align <= most_aligned(room)])
    return Typedef(scope.typedef_name(), base, align)


def _plain(scope: Scope, _room: int) -> Type:
    return plain(scope)


def _enumeration(scope: Scope, _room: int) -> Type:
    return enumeration(scope)


_BASES: tuple[Maker, ...] = (*(_plain,) * 6, _enumeration)
_MAKERS: dict[str, Maker] = {
    "_Atomic": atomic,
    "_BitInt": bit_int,
    "complex integer": complex_integer,
    "packed enum": _enumeration,
    "typedef aligned": aligned_typedef,
    "vector": vector,
}


@cache
def _members_of(dialect: frozenset[str]) -> tuple[Maker, ...]:
    return tuple(maker for name, maker in _MAKERS.items() if name in dialect)


@cache
def _values_of(dialect: frozenset[str]) -> tuple[Maker, ...]:
    passed_only: tuple[Maker, ...] = (scalable,) if "scalable vector" in dialect else ()
    return (*_members_of(dialect - {"_Atomic"}), *passed_only)

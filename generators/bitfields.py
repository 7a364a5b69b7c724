"""Bit-fields: named, unnamed and of zero width, of every integer type C compilers accept for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from abiprobe.generators.rare import aligned_typedef, bit_int
from abiprobe.generators.scalars import enumeration
from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.features import KINDS
from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Member, Scalar, Type, Typedef

Maker: TypeAlias = Callable[[Scope, int], Type]

_WIDTHS = {
    Kind.INT: 32,
    Kind.UINT: 32,
    Kind.CHAR: 8,
    Kind.SCHAR: 8,
    Kind.UCHAR: 8,
    Kind.SHORT: 16,
    Kind.USHORT: 16,
    Kind.LONG: 32,  # what `long` has on ILP32 and LLP64, so that one pool serves every target
    Kind.ULONG: 32,
    Kind.LLONG: 64,
    Kind.ULLONG: 64,
    Kind.BOOL: 1,
    Kind.INT128: 128,
    Kind.UINT128: 128,
}
_ENUM_WIDTH = 32


def widest(c_type: Type) -> int:
    """The width in bits that a bit-field of `c_type` may have on every target; raises `KeyError` for no integer."""
    match c_type:
        case Scalar(kind):
            return _WIDTHS[kind]
        case BitInt(width):
            return width
        case Typedef(base=base):
            return widest(base)
        case Enum(packed=True):
            return max(8, 1 << (narrowest(c_type) - 1).bit_length())
        case _:
            return _ENUM_WIDTH


def narrowest(c_type: Type) -> int:
    """The width in bits that holds every value `c_type` names: 1, or what an enumeration's constants need."""
    if not isinstance(c_type, Enum):
        return 1
    values = [constant.value for constant in c_type.enumerators]
    return max(_bits(value, signed=min(values) < 0) for value in values)


def _bits(value: int, *, signed: bool) -> int:
    return max(1, (value if value >= 0 else ~value).bit_length() + signed)


def _of_kind(kind: Kind) -> Maker:
    return lambda _scope, _room: Scalar(kind)


def _enumeration(scope: Scope, _room: int) -> Type:
    return enumeration(scope)


def _typedef(scope: Scope, room: int) -> Type:
    scope.draw.burden(2)  # as many choices as an ordinary member of such a type needs
    base = Scalar(scope.draw.pick(_PLAIN))
    return aligned_typedef(scope, room, base)


_PLAIN = tuple(kind for kind in _WIDTHS if kind not in KINDS)
_COMMON = (*map(_of_kind, _PLAIN), _enumeration)
_RARE: dict[str, tuple[Maker, ...]] = {
    "__int128 bit-field": (_of_kind(Kind.INT128), _of_kind(Kind.UINT128)) * 4,
    "_BitInt bit-field": (bit_int,) * 6,
    "packed enum": (_enumeration,) * 6,
    "typedef aligned": (_typedef,) * 6,
}
_OF = {"__int128 bit-field": "__int128", "_BitInt bit-field": "_BitInt"}
"""The type without which there are no such bit-fields."""


@cache
def _bases(features: frozenset[str]) -> tuple[Maker, ...]:
    """Return the makers of the declared types, one `int` first."""
    there = (makers for name, makers in _RARE.items() if {name, _OF.get(name, name)} <= features)
    return _COMMON + tuple(maker for makers in there for maker in makers)


_NAMED, _UNNAMED, _ZERO_WIDTH = range(3)
_STYLES = (_NAMED,) * 7 + (_UNNAMED, _ZERO_WIDTH)


def bit_field(scope: Scope, room: int) -> Member:
    """A bit-field that every target accepts."""
    base = scope.draw.pick(_bases(scope.features))(scope, room)
    least = narrowest(base)
    width = least + scope.draw.below(widest(base) - least + 1)
    style = scope.draw.pick(_STYLES)
    if style == _ZERO_WIDTH:
        return Member(base, width=0)
    return Member(base, "" if style == _UNNAMED else scope.name(), width=width)


def barrier(scope: Scope) -> Member:
    """A zero-width bit-field, which holds nothing and still moves what follows it."""
    scope.draw.burden(2)
    return Member(Scalar(scope.draw.pick((Kind.INT, Kind.CHAR, Kind.SHORT, Kind.LLONG))), width=0)

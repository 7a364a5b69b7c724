"""Bit-fields: named, unnamed and of zero width, of every integer type C compilers accept for them."""

from __future__ import annotations

from abiprobe.generators.scalars import enumeration
from abiprobe.generators.scope import Scope
from abiprobe.oracles.lang import Enum, Kind, Member, Scalar, Type

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
}
_BASES: tuple[Kind | None, ...] = (*_WIDTHS, None)
_ENUM_WIDTH = 32


def widest(c_type: Type) -> int:
    """The width in bits that a bit-field of `c_type` may have on every target; raises `KeyError` for no integer."""
    return _WIDTHS[c_type.kind] if isinstance(c_type, Scalar) else _ENUM_WIDTH


def narrowest(c_type: Type) -> int:
    """The width in bits that holds every value `c_type` names: 1, or what an enumeration's constants need."""
    if not isinstance(c_type, Enum):
        return 1
    values = [constant.value for constant in c_type.enumerators]
    return max(_bits(value, signed=min(values) < 0) for value in values)


def _bits(value: int, *, signed: bool) -> int:
    return max(1, (value if value >= 0 else ~value).bit_length() + signed)


_NAMED, _UNNAMED, _ZERO_WIDTH = range(3)
_STYLES = (_NAMED,) * 7 + (_UNNAMED, _ZERO_WIDTH)


def bit_field(scope: Scope) -> Member:
    """A bit-field that every target accepts."""
    kind = scope.draw.pick(_BASES)
    base = enumeration(scope) if kind is None else Scalar(kind)
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

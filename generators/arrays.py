"""Arrays, of one dimension or more."""

from __future__ import annotations

from abiprobe.generators.extent import extent
from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Complex,
    Kind,
    Pointer,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)

_DIMENSIONS = (0,) * 14 + (1, 1, 2)
_LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 2, 3, 4, 1, 2, 3, 100, 1000)


def rows(scope: Scope, room: int, element: Type) -> Type:
    """`element` itself, or an array of it within `room` (bytes) of one dimension or more; rarely of length zero.

    Decided after the element, so that an array shrinks to its element.
    """
    # gcc takes `[0]` behind `vector_size` for a flexible array member, and refuses it before other members.
    may_be_empty = scope.allows("zero-length array") and not isinstance(element, Vector)
    lengths = _LENGTHS + ((0,) if may_be_empty else ())
    dimensions = scope.draw.pick(_DIMENSIONS)
    if dimensions and not can_repeat(element):
        return element
    result = element
    for _ in range(dimensions):
        size = max(1, extent(result)[0])
        result = Array(result, min(scope.draw.pick(lengths), room // size))
    return result


def can_repeat(element: Type) -> bool:
    """Return whether every compiler accepts an array of `element`: its size is a multiple of its alignment on every target."""
    if isinstance(element, Atomic):
        # To clang one of no bytes has a byte, and is aligned as before.
        return has_bytes(element.base)
    if not isinstance(element, Typedef):
        return True
    return can_repeat(element.base) if element.align is None else unit(element.base) % element.align == 0


def has_bytes(c_type: Type) -> bool:
    """Return whether a type takes any bytes on every target, which a bit-field of no bits and an array without elements do not."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return has_bytes(base)
        case Array(element=element, length=length):
            return bool(length) and has_bytes(element)
        case Record(members=members):
            return any(has_bytes(one.type) if one.width is None else one.width for one in members)
        case _:
            return True


def unit(c_type: Type) -> int:
    """A power of two, in bytes, that divides the size of `c_type` on every target."""
    match c_type:
        case Scalar(kind) | Complex(kind):
            return _UNITS.get(kind) or extent(Scalar(kind))[0]
        case Vector(size=size):
            return size
        case Pointer():
            return 4
        case Typedef(base=base):
            return unit(base)
        case _:
            return 1


_UNITS = {
    Kind.LONG: 4,
    Kind.ULONG: 4,
    Kind.LDOUBLE: 4,  # 12 bytes on i386
    Kind.FLOAT16: 2,
    Kind.BF16: 2,
}

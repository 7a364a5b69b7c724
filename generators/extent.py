"""An upper bound of how large a type gets, so that no generator needs a model to keep within a size."""

from __future__ import annotations

from abiprobe.oracles.lang import Array, Complex, Kind, Member, Record, Scalar, Type

LEAST_ROOM = 32
"""The size in bytes of the largest type that is not made of others: `long double _Complex`."""

_SIZES = {
    Kind.BOOL: 1,
    Kind.CHAR: 1,
    Kind.SCHAR: 1,
    Kind.UCHAR: 1,
    Kind.SHORT: 2,
    Kind.USHORT: 2,
    Kind.INT: 4,
    Kind.UINT: 4,
    Kind.FLOAT: 4,
    Kind.LONG: 8,
    Kind.ULONG: 8,
    Kind.LLONG: 8,
    Kind.ULLONG: 8,
    Kind.DOUBLE: 8,
}


def extent(c_type: Type) -> tuple[int, int]:
    """Size and alignment in bytes on a target with the widest types; a bit-field counts as its whole type."""
    match c_type:
        case Scalar(kind):
            size = _SIZES.get(kind, 16)
            return size, size
        case Complex(kind):
            size = _SIZES.get(kind, 16)
            return 2 * size, size
        case Array(element, length):
            size, align = extent(element)
            return size * (length or 0), align
        case Record(members=members, union=union):
            return _record_extent(members, union)
        case _:
            return 8, 8


def _record_extent(members: tuple[Member, ...], union: bool) -> tuple[int, int]:  # noqa: FBT001 - as in Record
    end, widest = 0, 1
    for member in members:
        size, align = extent(member.type)
        widest = max(widest, align)
        end = max(end, size) if union else after(end, size, align)
    return after(end, 0, widest), widest


def after(offset: int, size: int, align: int) -> int:
    """The offset in bytes after an object of `size` and `align` placed at the first fit from `offset`."""
    return -(-offset // align) * align + size

"""An upper bound of how large a type gets, so that no generator needs a model to keep within a size."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import FIXED_SIZES, LP64_SIZES
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    FixedPoint,
    Member,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.sve import SVE_BITS

SCALABLE_BYTES = 16
"""The bytes of a scalable vector register where calls are asked."""

LEAST_ROOM = 32
"""The size in bytes that every type not made of others may take, but for a vector: `long double _Complex` does."""


def extent(c_type: Type) -> tuple[int, int]:
    """Size and alignment in bytes on a target with the widest types; a bit-field counts as its whole type."""
    match c_type:
        case Scalar(kind):
            size = LP64_SIZES.get(kind, 16)
            return size, size
        case FixedPoint(kind=fixed):
            return FIXED_SIZES[fixed], FIXED_SIZES[fixed]
        case Complex(kind):
            size = LP64_SIZES.get(kind, 16)
            return 2 * size, size
        case Array(element, length):
            size, align = extent(element)
            return size * (length or 0), align
        case Record():
            return _record_extent(c_type)
        case Vector(size=size):
            return size, size
        case Scalable(eighths=eighths, fields=fields):
            return max(1, eighths // 8) * fields * SCALABLE_BYTES, 8
        case ScalableMask():
            return SCALABLE_BYTES, 1
        case SveVector(fields=fields):
            return fields * SVE_BITS // 8, 16
        case SvePredicate():
            return SVE_BITS // 64, 2
        case BitInt(width):
            return max(8, -(-width // 128) * 16 if width > 64 else 8), 16 if width > 64 else 8
        case Atomic(base):
            size, align = extent(base)
            return _atomic(size, align)
        case Typedef(base=base, align=asked):
            size, align = extent(base)
            return size, align if asked is None else asked
        case _:
            return 8, 8


def _atomic(size: int, align: int) -> tuple[int, int]:
    """A size that atomic instructions have, and its alignment, for what is small enough."""
    if not 0 < size <= 16:
        return size, align
    size = 1 << (size - 1).bit_length()
    return size, max(size, align)


def member_extent(member: Member) -> tuple[int, int]:
    """Return the extent of a member with its attributes; space that packing saves is not counted on."""
    size, align = extent(member.type)
    return size, max(align, member.align or 1, member.alignas or 1)


def _record_extent(record: Record) -> tuple[int, int]:
    end, widest = 0, record.align or 1
    for member in record.members:
        size, align = member_extent(member)
        if record.ms_struct and member.width is not None:
            # To clang the unit of a bit-field is aligned to its size, also where that is no power of two.
            align = max(align, size)
        widest = max(widest, align)
        end = max(end, size) if record.union else after(end, size, align)
    return after(end, 0, widest), widest


def after(offset: int, size: int, align: int) -> int:
    """The offset in bytes after an object of `size` and `align` placed at the first fit from `offset`."""
    return -(-offset // align) * align + size


def most_aligned(room: int) -> int:
    """The largest alignment in bytes that may be asked for within `room` bytes."""
    return 64 if room >= 128 else 16


def usable(room: int) -> int:
    """`room` less what the largest alignment could waste at its end."""
    return room // most_aligned(room) * most_aligned(room)

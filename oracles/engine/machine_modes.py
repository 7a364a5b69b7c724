"""Types that gcc holds as one number, for alignments that depend on it.

Source: GCC, stor-layout.cc, compute_record_mode and the mode of arrays in layout_type; i386.cc, x86_field_alignment.
"""

from __future__ import annotations

from enum import Enum as PyEnum
from typing import TYPE_CHECKING

from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Kind,
    Member,
    Pointer,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)

if TYPE_CHECKING:
    from abiprobe.oracles.engine.types import TypeTable

NARROWEST = (1, 2, 4)
"""The sizes in bytes of integers on any machine, which has those of a pointer and of two, too."""
DOUBLES = (Scalar(Kind.DOUBLE), Complex(Kind.DOUBLE))


class Mode(PyEnum):
    """As what gcc holds a value."""

    NUMBER = "number"
    """an integer, a complex integer, a `double` or a complex `double`"""
    OTHER = "other"
    """another number or a vector"""
    BLOCK = "block"
    """bytes in memory"""


def mode_of(types: TypeTable, c_type: Type) -> Mode:
    """As what gcc holds a type."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return mode_of(types, base)
        case Scalar(kind) | Complex(kind):
            return Mode.NUMBER if kind.is_integer or c_type in DOUBLES else Mode.OTHER
        case Enum() | Pointer():
            return Mode.NUMBER
        case BitInt():
            return of_size(types, types.extent(c_type).size)
        case Vector(kind, size) if size in words(types) and kind.is_floating:
            # Only 3DNow! had one of reals.
            return Mode.BLOCK
        case Vector(size=size) if types.data.strict_alignment:
            # These machines have no registers of vectors unasked.
            return of_size(types, size)
        case Array(element, length):
            return mode_of(types, element) if length == 1 else of_size(types, types.extent(c_type).size)
        case Record():
            return of_record(types, c_type)
        case _:
            return Mode.OTHER


def of_record(types: TypeTable, record: Record) -> Mode:
    """A record that one member fills is held as that, unless it is a union; of bytes in it that no number holds nor is it one."""
    if any(is_in_memory(types, member) for member in record.members):
        return Mode.BLOCK
    whole = filling(types, record)
    return mode_of(types, whole) if whole is not None else of_size(types, types.extent(record).size)


def filling(types: TypeTable, record: Record) -> Type | None:
    """The type of the one member that fills a record, which is no union."""
    size = types.extent(record).size
    whole = [one.type for one in record.members if one.width is None and types.extent(one.type).size == size]
    return whole[0] if whole and not record.union else None


def held_real(types: TypeTable, c_type: Type) -> Type | None:
    """The real or complex number that gcc holds a record as: one member of that type fills it, and it is aligned where it must be."""
    match c_type:
        case Typedef(base=base) | Array(element=base, length=1):
            return held_real(types, base)
        case Record() if mode_of(types, c_type) is not Mode.BLOCK and (whole := filling(types, c_type)):
            aligned = types.extent(c_type).align >= alignment_of_mode(types, c_type)
            return held_real(types, whole) if aligned or not types.data.strict_alignment else None
        case Scalar(kind) | Complex(kind) if kind.is_floating:
            return c_type
        case _:
            return None


def alignment_of_mode(types: TypeTable, c_type: Type) -> int:
    """The alignment in bytes of the number that gcc holds a type as: of a complex one that of its parts, else its size."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base) | Array(element=base, length=1):
            return alignment_of_mode(types, base)
        case Record() if (whole := filling(types, c_type)) is not None:
            return alignment_of_mode(types, whole)
        case Complex():
            return types.extent(c_type).size // 2
        case _:
            return types.extent(c_type).size


def is_in_memory(types: TypeTable, member: Member) -> bool:
    """Return whether a member keeps its record from being held as a number."""
    if member.width is not None:
        return False
    if isinstance(member.type, Array) and member.type.length is None:
        return True
    return bool(types.extent(member.type).size) and mode_of(types, member.type) is Mode.BLOCK


def of_size(types: TypeTable, size: int) -> Mode:
    """An integer of this many bytes, if there is one."""
    return Mode.NUMBER if size in words(types) else Mode.BLOCK


def words(types: TypeTable) -> frozenset[int]:
    """The sizes in bytes of integers."""
    word = types.data.pointer.size
    return frozenset({*NARROWEST, word, 2 * word})

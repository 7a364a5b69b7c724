"""Structures of SPARC that gcc holds as one integer.

Source: GCC, stor-layout.cc, compute_record_mode, on a machine that asks for alignment; sparc.cc, function_arg_slotno.
"""

from __future__ import annotations

from enum import Enum

from abiprobe.oracles.engine.records import Shape
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Record, Type

INTEGERS = frozenset({1, 2, 4, 8, 16})
"""The sizes in bytes of integers."""


class Held(Enum):
    """As what a compiler holds a value."""

    INTEGER = "integer"
    MEMBER = "member"
    """as the scalar or vector that it is, or that fills it"""
    BLOCK = "block"
    """bytes in memory"""


def held_as(types: TypeTable, c_type: Type) -> Held:
    """As what a type is held: a record and an array as an integer of their size and alignment, unless one member fills them."""
    match types.plain(c_type):
        case Array(element=element, length=1):
            return held_as(types, element)
        case Array() as array:
            extent = types.extent(array)
            return of_size(extent.size, extent.align)
        case Record() as record:
            return of_record(types, record, types.shape(record))
        case _:
            return Held.MEMBER


def of_record(types: TypeTable, record: Record, shape: Shape) -> Held:
    """A record with a member that is no number is none itself."""
    members = [item.type for item in shape.fields if not item.is_bit_field and types.extent(item.type).size]
    if any(held_as(types, one) is Held.BLOCK for one in members):
        return Held.BLOCK
    whole = [one for one in members if types.extent(one).size == shape.size]
    return held_as(types, whole[0]) if whole and not record.union else of_size(shape.size, shape.align)


def of_size(size: int, align: int) -> Held:
    """An integer of a size, if there is one and it is aligned."""
    return Held.INTEGER if size in INTEGERS and align >= size else Held.BLOCK

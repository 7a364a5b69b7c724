"""A layout as a compiler's debug information describes it, where that is known to be something else than the layout."""

from __future__ import annotations

from functools import partial

import msgspec

from abiprobe.oracles.engine.records import Field, round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Kind, Record, SvePredicate, SveVector, Type, Typedef
from abiprobe.oracles.text.place import Layout


def described(types: TypeTable, record: Record, layout: Layout, whole: int) -> Layout:
    """The layout that DWARF has of a record; arrays up to `whole` elements have every element listed, as in the layout itself."""
    policies = types.policies
    align = record.align if policies.dwarf_tells_attribute and record.align else layout.align
    members = layout.members
    if policies.dwarf_whole_bit_fields or policies.dwarf_containing_objects or policies.dwarf_byte_predicates:
        members = tuple(types.leaves(record, whole=whole, placed=partial(in_dwarf, types)))
    return msgspec.structs.replace(layout, align=align, members=members)


def in_dwarf(types: TypeTable, record: Record, item: Field) -> Field:
    """A field of a record where DWARF has it."""
    if types.policies.dwarf_byte_predicates:
        member = msgspec.structs.replace(item.member, type=of_bytes(item.member.type))
        item = msgspec.structs.replace(item, member=member)
    if not item.is_bit_field or not item.bit_width:
        return item
    at, policies = item.bit_offset, types.policies
    if policies.dwarf_whole_bit_fields and item.bit_width == types.extent(item.type).size * 8:
        at -= at % 8
    if policies.dwarf_containing_objects and record.union:
        at = behind_object(types, record, item)
    return msgspec.structs.replace(item, bit_offset=at)


def of_bytes(c_type: Type) -> Type:
    """A type with a byte for each bit of a predicate of SVE."""
    match c_type:
        case Typedef(base=base):
            told = of_bytes(base)
            return c_type if told == base else told
        case Array(element, length):
            return Array(of_bytes(element), length)
        case SvePredicate(bits=bits):
            return SveVector(Kind.UCHAR, bits=bits)
        case _:
            return c_type


def behind_object(types: TypeTable, record: Record, item: Field) -> int:
    """The distance in bits of a union from the object that gcc takes to contain a bit-field of it, which is where DWARF has the field.

    That object ends with the bit-field, and begins before the union where its type is aligned to less than its size: at a byte,
    or as an attribute of the member asks.
    """
    extent = types.extent(item.type)
    before = extent.size * 8 - item.bit_width
    if before < extent.align * 8:
        return 0
    asked = max(item.member.align or 0, item.member.alignas or 0)
    own = min(asked, record.pack or asked) * 8
    return before - before % own if own else round_up(before, 8)

"""The places of the two fields of a struct that travels in registers of both kinds, in the LLVM struct that clang makes of them."""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.oracles.engine.flatten import FlatField
from abiprobe.oracles.engine.policies import BitFieldsAs
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt


class Element(NamedTuple):
    """An element of an LLVM struct: where it begins, its bytes, and those of them that are stored."""

    at: int
    size: int
    stored: int


def coerced(
    types: TypeTable, xlen: int, fields: tuple[FlatField, FlatField]
) -> tuple[Element, Element] | None:
    """The fields as elements, or `None` where one is too wide for a register."""
    (one, one_align), (two, two_align) = (element(types, xlen, item) for item in fields)
    if any(item.is_bit_field and own.size > xlen for item, own in zip(fields, (one, two), strict=True)):
        return None
    packed = two.at % two_align != 0
    first = one._replace(at=one.at if packed else round_up(one.at, one_align))
    end, naturally = one.at + one.stored, round_up(one.at + one.stored, two_align)
    padding = 0
    if two.at > naturally:
        padding = two.at - naturally
    elif two.at not in {two_align, end} and two.at > end:
        padding = two.at - end
    behind = first.at + first.size + padding
    return first, two._replace(at=behind if packed else round_up(behind, two_align))


def element(types: TypeTable, xlen: int, item: FlatField) -> tuple[Element, int]:
    """A field where it is in the struct, and the alignment of its LLVM type."""
    at, size = item.bit_offset // 8, -(-item.bit_width // 8)
    if item.is_bit_field:
        size = size_of_bit_field(types, xlen, item)
        return Element(at, size, size), size
    extent = types.extent(item.type)
    stored = size
    if isinstance(item.type, BitInt) and types.policies.pads_behind_bit_ints:
        stored = -(-item.type.width // 8)
    return Element(at, size, stored), extent.align


def size_of_bit_field(types: TypeTable, xlen: int, item: FlatField) -> int:
    """The bytes of the integer that clang has for a bit-field."""
    declared = types.extent(item.type).size
    if declared > xlen and item.bit_width <= xlen * 8:
        declared = xlen
    if types.policies.bit_fields_as is BitFieldsAs.DECLARED:
        return declared
    return max(1, 1 << (item.bit_width - 1).bit_length()) // 8 if item.bit_width > 8 else 1

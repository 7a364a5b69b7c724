"""The places of the two fields of a struct that travels in registers of both kinds, in the LLVM struct that clang makes of them."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from abiprobe.oracles.engine.flatten import FlatField
from abiprobe.oracles.engine.policies import BitFieldsAs, Policies
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register


class Element(NamedTuple):
    """An element of an LLVM struct: where it begins, its bytes, and those of them that are stored."""

    at: int
    size: int
    stored: int


class Taken(NamedTuple):
    """The register of an element, and its bytes."""

    register: Register
    width: int


def makes_pairs(policies: Policies) -> bool:
    """Return whether a compiler has the two fields where an LLVM struct has them."""
    return (
        policies.bit_fields_as is not BitFieldsAs.THEMSELVES
        or policies.pads_behind_bit_ints
        or policies.loses_argument_ends
        or policies.loses_result_ends
    )


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
        return Element(at, size, min(size, stored_bytes(types, item))), size
    extent = types.extent(item.type)
    return Element(at, size, stored_bytes(types, item)), extent.align


def stored_bytes(types: TypeTable, item: FlatField) -> int:
    """The bytes that are stored of a field's type: to clang those of a `_BitInt` that have bits of its value."""
    if isinstance(item.type, BitInt) and types.policies.pads_behind_bit_ints:
        return -(-item.type.width // 8)
    return types.extent(item.type).size


def size_of_bit_field(types: TypeTable, xlen: int, item: FlatField) -> int:
    """The bytes of the integer that clang has for a bit-field."""
    declared = types.extent(item.type).size
    if declared > xlen and item.bit_width <= xlen * 8:
        declared = xlen
    if types.policies.bit_fields_as is BitFieldsAs.DECLARED:
        return declared
    return max(1, 1 << (item.bit_width - 1).bit_length()) // 8 if item.bit_width > 8 else 1


def is_moved(
    value: Travelling, fields: tuple[FlatField, FlatField], elements: tuple[Element, Element]
) -> bool:
    """Return whether an element begins elsewhere than its field, or goes beyond the end of the struct."""
    return any(
        item.bit_offset != own.at * 8 or own.at + own.size > value.size
        for item, own in zip(fields, elements, strict=True)
    )


def pass_coerced(
    value: Travelling,
    fields: tuple[FlatField, FlatField],
    elements: tuple[Element, Element],
    taken: tuple[Taken, Taken],
    clause: str,
    policies: Policies,
) -> Passed:
    """The parts of a struct that clang has in registers, as far as they are parts of it, and how far it stores them beyond it."""
    pieces, carried, end_of_stores = [], bytearray(value.size), value.size
    loses = policies.loses_argument_ends if value.name else policies.loses_result_ends
    for item, own, (register, width) in zip(fields, elements, taken, strict=True):
        end = min(own.at + own.stored, value.size)
        is_lost = loses and own.at + own.stored > value.size
        end_of_stores = max(end_of_stores, 0 if is_lost else own.at + own.stored)
        if own.at < end and not is_lost:
            pieces.append(Piece(own.at, end, register, clause, Extension.ANY, width, clause))
            carried[own.at : end] = loaded(item, value.mask[own.at : end])
    part = msgspec.structs.replace(value, mask=travelling_bits(bytes(carried), fields))
    passed = part.passed(Passing.DIRECT, clause, *pieces)
    return msgspec.structs.replace(passed, overrun=end_of_stores - value.size)


def loaded(item: FlatField, mask: bytes) -> bytes:
    """The significant bits of an element's bytes that are in its register: of a `_BitInt` no more than its width."""
    if not isinstance(item.type, BitInt):
        return mask
    whole = (1 << item.type.width) - 1
    return (int.from_bytes(mask, "little") & whole).to_bytes(len(mask), "little")


def travelling_bits(mask: bytes, fields: tuple[FlatField, ...]) -> bytes:
    """The significant bits of a struct that travels by fields: not those above a `_BitInt`, which are unspecified."""
    bits = int.from_bytes(mask, "little")
    for item in fields:
        if isinstance(item.type, BitInt) and not item.is_bit_field:
            whole, own = (1 << item.bit_width) - 1, (1 << item.type.width) - 1
            bits &= ~((whole & ~own) << item.bit_offset)
    return bits.to_bytes(len(mask), "little")

"""A layout as a compiler's initialised objects show it, where that is known to be something else than the layout."""

from __future__ import annotations

from functools import partial

import msgspec

from abiprobe.oracles.engine.records import Field, round_up
from abiprobe.oracles.engine.types import Placed, TypeTable
from abiprobe.oracles.language.lang import BitInt, Record
from abiprobe.oracles.text.place import Layout

MODES = (8, 16, 32, 64)
"""The widths in bits of gcc's integers of one word and less."""


ALLOCATED = 16
"""The bytes to which LLVM rounds up an integer of more than eight on x86, where it has that alignment for 16."""


def initialised(types: TypeTable, record: Record, layout: Layout, whole: int) -> Layout:
    """The layout that constants show; arrays up to `whole` elements have every element listed, as in the layout itself."""
    policies = types.policies
    placed: Placed | None = in_constant if policies.constant_fills_words else None
    if policies.constants_overlap:
        placed = partial(beside_lost_bytes, types)
    if placed is None:
        return layout
    return msgspec.structs.replace(layout, members=tuple(types.leaves(record, whole=whole, placed=placed)))


def beside_lost_bytes(types: TypeTable, record: Record, item: Field) -> Field:
    """A bit-field without the bytes of its constant that are lost; at bit -1 where what is left does not stand together."""
    lost = lost_bytes(types, record) if item.is_bit_field and not record.union else frozenset()
    bits = [bit for bit in range(item.bit_offset, item.bit_offset + item.bit_width) if bit // 8 not in lost]
    if len(bits) == item.bit_width:
        return item
    together = bool(bits) and bits[-1] - bits[0] == len(bits) - 1
    return msgspec.structs.replace(item, bit_offset=bits[0] if together else -1, bit_width=len(bits))


def lost_bytes(types: TypeTable, record: Record) -> frozenset[int]:
    """The bytes of a record, by their offsets, in which clang loses what it adds to a constant behind the zeros of a wide `_BitInt`.

    LLVM allocates more for these than the type has, and they cannot be split. A whole byte is lost then; whatever else
    would lie there, part of a byte, a member or padding, makes clang write the constant in another way, which is right.

    Source: clang, CGExprConstant.cpp, ConstantAggregateBuilder: addBits does not heed what add says of a whole byte.
    """
    shape = types.shape(record)
    behind: set[int] = set()
    whole: set[int] = set()
    for item in shape.fields:
        size, first = types.extent(item.type).size, item.bit_offset // 8
        if not item.is_bit_field:
            if behind.intersection(range(first, first + size)):
                return frozenset()
            if isinstance(types.plain(item.type), BitInt) and size > ALLOCATED // 2:
                behind.update(range(first + size, first + round_up(size, ALLOCATED)))
        elif item.bit_width and item.member.name:
            end = item.bit_offset + item.bit_width
            parts = {at // 8 for at in (item.bit_offset, end) if at % 8}
            if behind & parts:
                return frozenset()
            whole.update(range(first, end // 8))
    padding = behind.intersection(range(shape.size)) - whole
    return frozenset() if padding and types.policies.constants_have_padding else frozenset(behind)


def in_constant(record: Record, item: Field) -> Field:
    """A field as its constant fills it: whole integers and words where it is aligned to a word and has no mode of its own."""
    member, width = item.member, item.bit_width
    asked = min(member.align or 0, record.pack or member.align or 0)
    wide = isinstance(item.type, BitInt) and item.type.width > 128
    if not (item.is_bit_field and width and wide and asked >= 8 and item.bit_offset):
        return item
    return msgspec.structs.replace(item, bit_width=filled(width))


def filled(width: int) -> int:
    """The bits that gcc writes for a constant of `width` bits."""
    return next((mode for mode in MODES if width <= mode), round_up(width, 64))

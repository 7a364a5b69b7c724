"""A layout as a compiler's initialised objects show it, where that is known to be something else than the layout."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.records import Field, round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Record
from abiprobe.oracles.text.place import Layout

MODES = (8, 16, 32, 64)
"""The widths in bits of gcc's integers of one word and less."""


def initialised(types: TypeTable, record: Record, layout: Layout, whole: int) -> Layout:
    """The layout that constants show; arrays up to `whole` elements have every element listed, as in the layout itself."""
    if not types.policies.constant_fills_words:
        return layout
    members = tuple(types.leaves(record, whole=whole, placed=in_constant))
    return msgspec.structs.replace(layout, members=members)


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

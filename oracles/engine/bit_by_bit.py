"""Bit-fields as gcc has them where their types do not matter: each right behind the last one, and aligned to nothing unasked.

Source: GCC, stor-layout.cc, layout_decl and update_alignment_for_field without PCC_BITFIELD_TYPE_MATTERS.
"""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import Extent, Wish
from abiprobe.oracles.engine.gcc_places import filled_integer, gcc_aligned
from abiprobe.oracles.engine.records import Cursor, Field, Rules, place_ordinary, round_up
from abiprobe.oracles.engine.sysv_bits import deciding
from abiprobe.oracles.language.lang import Member


def place_zero_width(cursor: Cursor, rules: Rules, member: Member, _extent: Extent, asked: Wish) -> Field:
    """Align what follows, and the record, to the boundary of an empty field, whatever its type is."""
    boundary = rules.text.bit_boundary // 8
    if rules.pack_zero_width is not None:
        boundary = min(boundary, rules.pack_zero_width)
    align = max(boundary, asked.explicit)
    cursor.raise_align(align, rules.text.zero_width)
    if not rules.union:
        cursor.end = round_up(cursor.end, align * 8)
    return Field(member, 0 if rules.union else cursor.end, 0, rules.text.zero_width)


def place_bit_field(cursor: Cursor, rules: Rules, member: Member, _extent: Extent, asked: Wish) -> Field:
    """Put a bit-field at the next bit, or where an attribute asks for; an integer that it fills aligns its record."""
    width = member.width or 0
    start = 0 if rules.union else gcc_aligned(rules, cursor.end, asked.explicit, cursor.end).start
    align = max(asked.explicit, filled_integer(rules, start, width, asked), 1)
    clause = deciding(rules, member, asked)
    cursor.raise_align(align if rules.pack is None else min(align, rules.pack), clause)
    cursor.advance(start + width)
    return Field(member, start, width, clause)


BIT_BY_BIT = (place_ordinary, place_zero_width, place_bit_field)

"""The Microsoft bit-field discipline (`ms_struct`, `-mms-bitfields`): whole units, shared by fields of one size.

Source: GCC manual, x86 Variable Attributes, ms_struct; where it is silent, what GCC and clang do.
"""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import GNU, Extent, Wish, member_alignment
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Cursor, Field, Rules, place_ordinary, round_up
from abiprobe.oracles.lang import Member

UNITS = GNU.cite("ms-struct-units")
ZERO_WIDTH = GNU.cite("ms-struct-zero-width")


def close_unit(cursor: Cursor) -> None:
    """Leave the open storage unit: its unused bits are spent."""
    cursor.advance(cursor.end + cursor.left)
    cursor.unit = cursor.left = 0


def place_other(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A member that is no bit-field ends the open unit."""
    close_unit(cursor)
    return place_ordinary(cursor, rules, member, extent, asked)


@GNU.implements("ms-struct-zero-width")
def place_zero_width(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A zero-width bit-field counts only behind a bit-field: it ends the unit, and aligns what follows."""
    if not rules.union and cursor.unit:
        close_unit(cursor)
        align, _ = member_alignment(Wish(extent.size, asked.explicit, packed=False), rules.pack)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.align = max(cursor.align, align)
    return Field(member, 0 if rules.union else cursor.end, 0, ZERO_WIDTH)


@GNU.implements("ms-struct-units")
def place_bit_field(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A bit-field shares the open unit if its type has the same size and the field fits; else it opens one."""
    width, unit = member.width or 0, extent.size * 8
    align, _ = member_alignment(Wish(extent.size, asked.explicit, packed=False), rules.pack)
    if asked.packed and rules.reading is Reading.GCC:
        align = max(1, asked.explicit)
    if rules.union:
        start = 0
        cursor.advance(width if rules.reading is Reading.GCC else unit)
        cursor.align = max(cursor.align, align if rules.reading is Reading.GCC else 1)
        return Field(member, start, width, UNITS)
    if cursor.unit != unit or cursor.left < width:
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.unit, cursor.left = unit, unit
    start = cursor.end
    cursor.left -= width
    cursor.advance(start + width)
    cursor.align = max(cursor.align, align)
    return Field(member, start, width, UNITS)


MICROSOFT = (place_other, place_zero_width, place_bit_field)

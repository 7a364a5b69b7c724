"""Members of a record as Microsoft's C documentation places them: bit-fields in whole integers."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.windows.sheet import cite, implements
from abiprobe.oracles.engine.attributes import Extent, Wish, member_alignment
from abiprobe.oracles.engine.ms_bits import close_unit
from abiprobe.oracles.engine.records import Cursor, Field, OwnRules, Rules, place_ordinary, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.lang import Member

ATTRIBUTES = cite("record.attributes")
UNIT = cite("bits.unit")
ZERO_WIDTH = cite("bits.zero-width")
ELSEWHERE = cite("bits.zero-width-elsewhere")
UNION = cite("bits.union")
BIT_ATTRIBUTES = cite("bits.attributes")


@implements("record.attributes")
def place_other(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A member that is no bit-field, behind the integer that holds the bit-fields before it."""
    limit = rules.pack or (max(1, asked.explicit) if asked.packed else 0)
    if limit and max(asked.explicit, asked.natural if extent.user else 0) > limit:
        raise SilentError(ATTRIBUTES, f"{member.name or 'a member'} asks for more than it is packed to")
    close_unit(cursor)
    return place_ordinary(cursor, rules, member, extent, asked)


@implements("bits.attributes")
def unit_alignment(rules: Rules, extent: Extent, asked: Wish) -> int:
    """The alignment in bytes of the integer that holds a bit-field."""
    if asked.packed or asked.explicit or extent.user:
        raise SilentError(BIT_ATTRIBUTES, "a bit-field has an attribute")
    return member_alignment(asked, rules.pack)[0]


@implements("bits.union")
def refuse_union(rules: Rules) -> None:
    """The text has no bit-fields in unions."""
    if rules.union:
        raise SilentError(UNION, "a bit-field in a union")


@implements("bits.zero-width", "bits.zero-width-elsewhere")
def place_zero_width(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A bit-field of width 0: behind another one it ends the integer, and aligns what follows."""
    refuse_union(rules)
    align = unit_alignment(rules, extent, asked)
    behind = bool(cursor.unit)
    if not behind and align > 1:
        # [windows:bits.zero-width-elsewhere]
        raise SilentError(ELSEWHERE, f"{member.type} : 0 behind no bit-field")
    if behind:
        # [windows:bits.zero-width]
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.raise_align(align, ZERO_WIDTH)
    return Field(member, cursor.end, 0, ZERO_WIDTH)


@implements("bits.unit")
def place_bit_field(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A bit-field lies in the open integer if that is of its type's size and has room, else in one of its own."""
    refuse_union(rules)
    align = unit_alignment(rules, extent, asked)
    width, unit = member.width or 0, extent.size * 8
    cursor.raise_align(align, UNIT)
    # [windows:bits.unit]
    if cursor.unit != unit or cursor.left < width:
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.unit, cursor.left = unit, unit
    start = cursor.end
    cursor.left -= width
    cursor.advance(start + width)
    return Field(member, start, width, UNIT)


WINDOWS = OwnRules((place_other, place_zero_width, place_bit_field), cite("bits.gcc-struct"), ATTRIBUTES)

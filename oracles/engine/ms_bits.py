"""The Microsoft bit-field discipline (`ms_struct`, `-mms-bitfields`): whole units, shared by fields of one size.

Source: GCC manual, x86 Variable Attributes, ms_struct; where it is silent, what GCC and clang do.
"""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.attributes import GNU, Extent, Wish, member_alignment
from abiprobe.oracles.engine.gcc_places import filled_integer, gcc_aligned, is_met, place_at
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Cursor, Field, Rules, place_ordinary, round_up
from abiprobe.oracles.language.lang import Array, Enum, Member, innermost

UNITS = GNU.cite("ms-struct-units")
ZERO_WIDTH = GNU.cite("ms-struct-zero-width")
BYTE = 256
"""The values of a byte."""


def close_unit(cursor: Cursor) -> None:
    """Leave the open storage unit: its unused bits are spent."""
    cursor.advance(cursor.end + cursor.left)
    cursor.unit = cursor.left = 0


def place_other(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A member that is no bit-field ends the open unit; an arithmetic type is aligned to its size.

    To clang that counts for more than the alignment of a typedef, and not for enumerations.
    """
    last = cursor.end
    close_unit(cursor)
    raised, clang = asked, rules.reading is Reading.CLANG
    left = rules.plain_flexible_arrays and isinstance(member.type, Array) and member.type.length is None
    if left or (clang and isinstance(innermost(member.type), Enum)):
        return place_ordinary(cursor, rules, member, extent, asked)
    if extent.scalar & (extent.scalar - 1) == 0 and (clang or not extent.user):
        raised = msgspec.structs.replace(asked, natural=max(asked.natural, extent.scalar))
    heeded = rules.reading is not Reading.GCC or not is_met(rules, last, asked.explicit)
    placed = (place_ordinary if heeded else place_for_type)(cursor, rules, member, extent, raised)
    # That data is aligned to its size may be said of where it lies, or of what `__alignof__` tells as well.
    return placed if raised == asked else msgspec.structs.replace(placed, align=0)


def place_for_type(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A member whose attribute counts for the record alone, as to gcc behind a bit-field that ends at a place that it asks for."""
    placed = place_ordinary(cursor, rules, member, extent, msgspec.structs.replace(asked, explicit=0))
    align, clause = member_alignment(asked, rules.pack)
    cursor.raise_align(align, clause or placed.clause)
    return msgspec.structs.replace(placed, align=align)


def unit_alignment(rules: Rules, extent: Extent, asked: Wish) -> int:
    """The alignment in bytes of a new unit: of the declared type (gcc), or its size (clang).

    Where members of records are aligned less than their type is, gcc takes the type's.
    """
    natural = extent.size
    if rules.reading is Reading.GCC:
        natural = asked.natural if extent.user else max(asked.natural, extent.scalar)
    return member_alignment(Wish(natural, asked.explicit, packed=False), rules.pack)[0]


def gcc_leave_unit(cursor: Cursor, rules: Rules, extent: Extent, asked: Wish, *, begins: bool) -> None:
    """Leave the open unit, and align for an attribute, unless the last bit-field ends at such a place.

    Where another unit `begins`, align for its type as well, without what an attribute of the bit-field asks.
    """
    last, opened = cursor.end, bool(cursor.unit)
    close_unit(cursor)
    place = gcc_aligned(rules, cursor.end, asked.explicit, last)
    if begins and not asked.packed:
        own = unit_alignment(rules, extent, msgspec.structs.replace(asked, explicit=0)) * 8
        place = (place_at(rules, place.start) if opened else place).aligned(own)
    cursor.end = place.start


def gcc_zero_width(cursor: Cursor, rules: Rules, extent: Extent, asked: Wish) -> None:
    """To gcc an attribute on a zero-width bit-field counts wherever it is, for what follows.

    Behind a bit-field one that is not packed, and not of the unit's own size, aligns what follows; any aligns the record.
    """
    behind = cursor.unit
    gcc_leave_unit(cursor, rules, extent, asked, begins=behind not in {0, extent.size * 8})
    if behind:
        cursor.raise_align(unit_alignment(rules, extent, asked), ZERO_WIDTH)


def clang_zero_width(cursor: Cursor, rules: Rules, extent: Extent, asked: Wish) -> None:
    """To clang a zero-width bit-field aligns what follows and the record, without a limit by #pragma pack unless rules say so.

    One of the unit's own size leaves to what follows what the unit has behind its last bit-field.
    """
    align = max(extent.size if cursor.unit else 1, asked.explicit)
    align = min(align, rules.pack or align) if rules.packs_zero_width else align
    last, same = cursor.end, cursor.unit == extent.size * 8
    close_unit(cursor)
    if same:
        cursor.end = last
    cursor.end = round_up(cursor.end, align * 8)
    cursor.raise_align(align, ZERO_WIDTH)


@GNU.implements("ms-struct-zero-width")
def place_zero_width(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A zero-width bit-field counts only behind a bit-field: it ends the unit, and aligns what follows.

    What compilers add to that differs. To clang a union has a byte for it.
    """
    if rules.union:
        if rules.reading is Reading.CLANG:
            cursor.advance(8)
        return Field(member, 0, 0, ZERO_WIDTH)
    if rules.reading is Reading.GCC:
        gcc_zero_width(cursor, rules, extent, asked)
    else:
        clang_zero_width(cursor, rules, extent, asked)
    return Field(member, cursor.end, 0, ZERO_WIDTH)


def open_unit(cursor: Cursor, rules: Rules, extent: Extent, asked: Wish, align: int) -> None:
    """Open a unit for a bit-field; `align` (bytes) is that of the unit and the attribute.

    gcc takes the end of a unit for a place where another of its size may stand, whatever its alignment.
    """
    unit = extent.size * 8
    if rules.reading is Reading.GCC:
        gcc_leave_unit(cursor, rules, extent, asked, begins=cursor.unit != unit)
    else:
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
    cursor.unit = cursor.left = unit


@GNU.implements("ms-struct-units")
def place_bit_field(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """A bit-field shares the open unit if its type has the same size and the field fits; else it opens one."""
    width, unit = member.width or 0, extent.size * 8
    gcc = rules.reading is Reading.GCC
    # To clang, if it packs a unit at all, #pragma pack takes precedence over that.
    packed = asked.packed and (gcc or (rules.packs_ms_units and not rules.pack))
    align = max(1, asked.explicit) if packed else unit_alignment(rules, extent, asked)
    if rules.union:
        cursor.advance(width if gcc else unit)
        filled = gcc_filled(rules, 0, width, asked) if gcc else 1
        cursor.raise_align(max(filled, align if gcc and not packed else 1), UNITS)
        return Field(member, 0, width, UNITS)
    if cursor.unit != unit or cursor.left < width:
        open_unit(cursor, rules, extent, asked, align)
    start = cursor.end
    cursor.left -= width
    cursor.advance(start + width)
    if rules.ms_units_in_a_byte:
        count_in_a_byte(cursor)
    filled = gcc_filled(rules, start, width, asked) if gcc else 1
    cursor.raise_align(max(filled, 1 if asked.packed and gcc else align), UNITS)
    return Field(member, start, width, UNITS)


def count_in_a_byte(cursor: Cursor) -> None:
    """Keep the size of the open unit, and what is left of it, as a byte does; the next field still goes before its end.

    Source: LLVM before 23, RecordLayoutBuilder.cpp, `LastBitfieldStorageUnitSize` and `UnfilledBitsInLastUnit`.
    """
    end, left = cursor.end + cursor.left, cursor.left % BYTE
    cursor.unit, cursor.left, cursor.end = cursor.unit % BYTE, left, end - left


def gcc_filled(rules: Rules, start: int, width: int, asked: Wish) -> int:
    """The alignment in bytes that a bit-field gives a record because it fills an integer where it lies, whatever its own type is aligned to."""
    filled = filled_integer(rules, start, width, asked)
    return min(filled, rules.pack or filled)


MICROSOFT = (place_other, place_zero_width, place_bit_field)

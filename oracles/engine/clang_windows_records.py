"""Members of a record as clang places them where records are Microsoft's, also where the documentation does not decide.

An alignment that an attribute asks for, on whatever it stands, outlives packing there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct, structs

from abiprobe.oracles.engine.attributes import ALIGNED, PACKED, PRAGMA_PACK, Extent, Wish
from abiprobe.oracles.engine.ms_bits import close_unit
from abiprobe.oracles.engine.records import Cursor, Field, Placers, Rules, place_ordinary, round_up
from abiprobe.oracles.language.lang import Array, Member, Record, Type, Typedef, Vector

LARGEST_PACK = 8
"""The bytes of the largest `#pragma pack` that counts: those of a pointer."""


def required(extent: Callable[[Type], Extent], c_type: Type, *, vectors: bool) -> int:
    """The alignment in bytes that attributes ask for in a type, with `vectors` also that of a vector; 1 where nothing does.

    Of a record that has an attribute itself, however little that asks for, it is all of its alignment.
    """
    inner = partial(required, extent, vectors=vectors)
    match c_type:
        case Typedef(align=int() as align):
            return align
        case Typedef(base=base) | Array(element=base):
            return inner(base)
        case Vector() if vectors:
            return extent(c_type).align
        case Record(members=members, align=align):
            ordinary = [member for member in members if member.width is None]
            asked = (max(one.align or 1, one.alignas or 1, inner(one.type)) for one in ordinary)
            return max(extent(c_type).align if align else 1, *asked, 1)
        case _:
            return 1


class Required(Struct, frozen=True):
    """The alignments in bytes that attributes ask for, with `vectors` also that of vectors, which `packed` on a member undoes."""

    extent: Callable[[Type], Extent]
    vectors: bool

    def of(self, c_type: Type, *, packed: bool = False) -> int:
        """The alignment that is asked for in a type, or in that of a member."""
        return required(self.extent, c_type, vectors=self.vectors and not packed)


def alignment(wanted: Required, rules: Rules, member: Member, asked: Wish) -> Wish:
    """The alignment that a member has after all, and the clause that had the last word."""
    align, clause = asked.natural, asked.clause
    explicit = max(asked.explicit, wanted.of(member.type, packed=asked.packed))
    if asked.packed:
        align, clause = 1, clause or PACKED
    elif rules.pack is not None and rules.pack < align and rules.pack <= LARGEST_PACK:
        align, clause = rules.pack, PRAGMA_PACK
    if explicit > align:
        align, clause = explicit, ALIGNED
    return Wish(align, 0, packed=False, clause=clause)


def place_other(
    wanted: Required, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A member that is no bit-field, behind the integer that holds the bit-fields before it."""
    close_unit(cursor)
    unpacked = structs.replace(rules, pack=None)
    return place_ordinary(cursor, unpacked, member, extent, alignment(wanted, rules, member, asked))


def place_zero_width(
    wanted: Required, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A bit-field of width 0 counts behind another one only: in a union for its size, elsewhere for its alignment."""
    behind = bool(cursor.unit)
    if behind and rules.union:
        cursor.advance(extent.size * 8)
    close_unit(cursor)
    if behind and not rules.union:
        align = alignment(wanted, rules, member, asked).natural
        cursor.end = round_up(cursor.end, align * 8)
        cursor.raise_align(align, rules.text.zero_width)
    return Field(member, 0 if rules.union else cursor.end, 0, rules.text.zero_width)


def place_bit_field(
    wanted: Required, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A bit-field that opens an integer of its type aligns it; one in a union has all of it, and aligns nothing."""
    width, unit = member.width or 0, extent.size * 8
    if rules.union:
        cursor.advance(unit)
        cursor.unit = unit
        return Field(member, 0, width, rules.text.bit_field)
    if cursor.unit != unit or cursor.left < width:
        align = alignment(wanted, rules, member, asked).natural
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.raise_align(align, rules.text.bit_field)
        cursor.unit = cursor.left = unit
    start = cursor.end
    cursor.left -= width
    cursor.advance(start + width)
    return Field(member, start, width, rules.text.bit_field)


def placers(wanted: Required) -> Placers:
    """Return what puts members; `wanted` tells the alignment that attributes ask for in a type."""
    return partial(place_other, wanted), partial(place_zero_width, wanted), partial(place_bit_field, wanted)

"""Members of a record as Microsoft's C documentation places them on every processor: bit-fields in whole integers.

The clauses are those of the sheet of each target: of its table for the layouts, and of `Silences` where the documentation
does not decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from abiprobe.oracles.engine.attributes import Extent, Wish, member_alignment
from abiprobe.oracles.engine.ms_bits import close_unit
from abiprobe.oracles.engine.records import (
    Cursor,
    Field,
    LayoutClauses,
    OwnRules,
    Rules,
    place_ordinary,
    round_up,
)
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Member


@dataclass(frozen=True)
class Silences:
    """The clauses of a sheet that are silent on records.

    `attributes` is about alignments which are packed, `elsewhere` about bit-fields of width 0 behind no other one,
    `in_union` and `bit_attributes` about bit-fields in unions and with attributes, `gcc_struct` about records that are to
    have other bit-fields, `packing` about the default packing where that is to 8 bytes, and `wide` about bit-fields of integers
    with more than 64 bits, where a target has such.
    """

    attributes: str
    elsewhere: str
    in_union: str
    bit_attributes: str
    gcc_struct: str
    packing: str = ""
    wide: str = ""


LARGEST = 8
"""Bytes of the largest integer that the documentation knows."""


def place_other(
    silent: Silences, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A member that is no bit-field, behind the integer that holds the bit-fields before it."""
    limit = rules.pack or (max(1, asked.explicit) if asked.packed else 0)
    if limit and max(asked.explicit, asked.natural if extent.user else 0) > limit:
        raise SilentError(
            silent.attributes, f"{member.name or 'a member'} asks for more than it is packed to"
        )
    close_unit(cursor)
    return place_ordinary(cursor, rules, member, extent, asked)


def unit_alignment(silent: Silences, rules: Rules, extent: Extent, asked: Wish) -> int:
    """The alignment in bytes of the integer that holds a bit-field."""
    if asked.packed or asked.explicit or extent.user:
        raise SilentError(silent.bit_attributes, "a bit-field has an attribute")
    if silent.wide and extent.size > LARGEST:
        raise SilentError(silent.wide, f"a bit-field of an integer of {extent.size} bytes")
    return member_alignment(asked, rules.pack)[0]


def refuse_union(silent: Silences, rules: Rules) -> None:
    """The documentation has no bit-fields in unions."""
    if rules.union:
        raise SilentError(silent.in_union, "a bit-field in a union")


def place_zero_width(
    silent: Silences, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A bit-field of width 0: behind another one it ends the integer, and aligns what follows."""
    refuse_union(silent, rules)
    align = unit_alignment(silent, rules, extent, asked)
    behind = bool(cursor.unit)
    if not behind and align > 1:
        raise SilentError(silent.elsewhere, f"{member.type} : 0 behind no bit-field")
    if behind:
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.raise_align(align, rules.text.zero_width)
    return Field(member, cursor.end, 0, rules.text.zero_width)


def place_bit_field(
    silent: Silences, cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish
) -> Field:
    """A bit-field lies in the open integer if that is of its type's size and has room, else in one of its own."""
    refuse_union(silent, rules)
    align = unit_alignment(silent, rules, extent, asked)
    width, unit = member.width or 0, extent.size * 8
    cursor.raise_align(align, rules.text.bit_field)
    if cursor.unit != unit or cursor.left < width:
        close_unit(cursor)
        cursor.end = round_up(cursor.end, align * 8)
        cursor.unit, cursor.left = unit, unit
    start = cursor.end
    cursor.left -= width
    cursor.advance(start + width)
    return Field(member, start, width, rules.text.bit_field)


def layout_clauses(cite: Callable[[str], str], scalar: str) -> LayoutClauses:
    """The clauses of a sheet for layouts, by the names that they have on each sheet of Windows."""
    unit = cite("bits.unit")
    return LayoutClauses(
        scalar, cite("record.member"), cite("record.union"), unit, unit, cite("bits.zero-width")
    )


def silences(cite: Callable[[str], str], *, packing: str = "", wide: str = "") -> Silences:
    """The clauses of a sheet that are silent on records, by the names that they have on each sheet of Windows."""
    return Silences(
        attributes=cite("record.attributes"),
        elsewhere=cite("bits.zero-width-elsewhere"),
        in_union=cite("bits.union"),
        bit_attributes=cite("bits.attributes"),
        gcc_struct=cite("bits.gcc-struct"),
        packing=packing,
        wide=wide,
    )


def windows_rules(silent: Silences) -> OwnRules:
    """The rules for the records of a target, with the clauses of its sheet."""
    placers = (
        partial(place_other, silent),
        partial(place_zero_width, silent),
        partial(place_bit_field, silent),
    )
    return OwnRules(placers, silent.gcc_struct, silent.attributes, silent.packing)

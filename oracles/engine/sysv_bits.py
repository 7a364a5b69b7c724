"""The System V bit-field discipline: storage units of the declared type, shared with whatever is in them."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import ALIGNED, PACKED, PRAGMA_PACK, Extent, Wish
from abiprobe.oracles.engine.gcc_places import filled_integer, gcc_aligned
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Cursor, Field, Rules, place_ordinary, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Member


def place_zero_width(cursor: Cursor, rules: Rules, member: Member, _extent: Extent, asked: Wish) -> Field:
    """Close the current storage unit: what follows starts at a boundary of the declared type.

    Neither packed nor #pragma pack changes that (GCC manual, packed and #pragma pack).
    """
    if rules.text.unnamed_align:
        cursor.raise_align(max(asked.natural, asked.explicit), rules.text.zero_width)
    if not rules.union:
        unit = asked.natural if rules.pack_zero_width is None else min(asked.natural, rules.pack_zero_width)
        cursor.end = round_up(cursor.end, max(unit, asked.explicit) * 8)
    return Field(member, 0 if rules.union else cursor.end, 0, rules.text.zero_width)


def place_bit_field(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """Put a bit-field at the next bit, unless it would leave a storage unit, which most texts have of its declared type."""
    width, unit = member.width or 0, rules.text.unit or extent.size * 8
    if width > unit:
        raise SilentError(rules.text.too_wide, f"{member.name} has {width} bits")
    gcc = rules.reading is Reading.GCC
    start = end = 0
    if not rules.union:
        end = cursor.end
        start = (
            gcc_place(rules, end, width, unit, asked) if gcc else clang_place(rules, end, width, unit, asked)
        )
    clause = deciding(rules, member, asked)
    if member.name or rules.text.unnamed_align:
        align = gcc_align(rules, end, width, asked) if gcc else clang_align(asked, rules.pack)
        cursor.raise_align(
            align,
            rules.deciding_clause(extent)
            if extent.clause != rules.text.scalar and align == asked.natural
            else clause,
        )
    cursor.advance(start + width)
    return Field(member, start, width, clause)


def deciding(rules: Rules, member: Member, asked: Wish) -> str:
    """The clause that says where a bit-field starts."""
    if asked.explicit:
        return ALIGNED
    if rules.pack is not None:
        return PRAGMA_PACK
    if asked.packed:
        return PACKED
    return rules.text.bit_field if member.name else rules.text.unnamed_bit_field


def gcc_place(rules: Rules, end: int, width: int, unit: int, asked: Wish) -> int:
    """Align for an attribute first; then move a field that spans more aligned units than its type does.

    One that fills an integer is not moved; gcc asks where the last field ends whether it does, before it aligns for an attribute.
    """
    place = gcc_aligned(rules, end, asked.explicit, end)
    start = place.start
    if asked.packed or rules.pack is not None or filled_integer(rules, end, width, asked):
        return start
    align = rules.text.unit or asked.natural * 8
    spanned = (start % align + width + align - 1) // align
    return place.aligned(align).start if spanned > unit // align else start


def clang_place(rules: Rules, end: int, width: int, unit: int, asked: Wish) -> int:
    """Move a field that would cross a unit of its type at its alignment; else only align it for an attribute."""
    align = max(1 if asked.packed else rules.text.unit or asked.natural * 8, asked.explicit * 8)
    if rules.pack is None and end % align + width > unit:
        return round_up(end, align)
    if asked.explicit and (rules.pack is None or asked.explicit <= rules.pack):
        return round_up(end, asked.explicit * 8)
    return end


def gcc_align(rules: Rules, end: int, width: int, asked: Wish) -> int:
    """Return the alignment that a bit-field behind bit `end` gives to the record, in bytes."""
    own = max(asked.explicit, filled_integer(rules, end, width, asked), 1)
    if rules.pack is not None:
        return min(max(asked.natural, own), rules.pack)
    return max(own, 1 if asked.packed else asked.natural)


def clang_align(asked: Wish, pack: int | None) -> int:
    """Return the alignment that a bit-field gives to the record, in bytes."""
    unpacked = max(asked.natural, asked.explicit)
    if pack is not None:
        return min(unpacked, pack)
    return max(1, asked.explicit) if asked.packed else unpacked


SYSV = (place_ordinary, place_zero_width, place_bit_field)

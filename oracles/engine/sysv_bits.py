"""The System V bit-field discipline: storage units of the declared type, shared with whatever is in them."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import ALIGNED, PACKED, PRAGMA_PACK, Extent, Wish
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Cursor, Field, Rules, place_ordinary, round_up
from abiprobe.oracles.lang import Member


def place_zero_width(cursor: Cursor, rules: Rules, member: Member, _extent: Extent, asked: Wish) -> Field:
    """Close the current storage unit: what follows starts at a boundary of the declared type.

    Neither packed nor #pragma pack changes that (GCC manual, packed and #pragma pack).
    """
    if not rules.union:
        unit = asked.natural if rules.pack_zero_width is None else min(asked.natural, rules.pack_zero_width)
        cursor.end = round_up(cursor.end, max(unit, asked.explicit) * 8)
    return Field(member, 0 if rules.union else cursor.end, 0, rules.text.zero_width)


def place_bit_field(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """Put a bit-field at the next bit, unless it would leave a storage unit of its declared type."""
    place = gcc_place if rules.reading is Reading.GCC else clang_place
    start = 0 if rules.union else place(cursor.end, member.width or 0, extent.size * 8, asked, rules.pack)
    if member.name:
        gcc = rules.reading is Reading.GCC
        align = gcc_align(rules, start, member.width or 0, asked) if gcc else clang_align(asked, rules.pack)
        cursor.align = max(cursor.align, align)
    cursor.advance(start + (member.width or 0))
    return Field(member, start, member.width or 0, deciding(rules, member, asked))


def deciding(rules: Rules, member: Member, asked: Wish) -> str:
    """The clause that says where a bit-field starts."""
    if asked.explicit:
        return ALIGNED
    if rules.pack is not None:
        return PRAGMA_PACK
    if asked.packed:
        return PACKED
    return rules.text.bit_field if member.name else rules.text.unnamed_bit_field


def gcc_place(end: int, width: int, unit: int, asked: Wish, pack: int | None) -> int:
    """Align for an attribute first; then move a field that spans more aligned units than its type does."""
    start = end
    if asked.explicit:
        start = round_up(start, min(asked.explicit, pack or asked.explicit) * 8)
    align = asked.natural * 8
    spanned = (start % align + width + align - 1) // align
    if not asked.packed and pack is None and spanned > unit // align:
        start = round_up(start, align)
    return start


def clang_place(end: int, width: int, unit: int, asked: Wish, pack: int | None) -> int:
    """Move a field that would cross a unit of its type at its alignment; else only align it for an attribute."""
    align = max(1 if asked.packed else asked.natural * 8, asked.explicit * 8)
    if pack is None and end % align + width > unit:
        return round_up(end, align)
    if asked.explicit and (pack is None or asked.explicit <= pack):
        return round_up(end, asked.explicit * 8)
    return end


def gcc_align(rules: Rules, start: int, width: int, asked: Wish) -> int:
    """What a bit-field makes of the record's alignment, in bytes.

    A field that fills an integer of its own width at an aligned place is given that integer's alignment.
    """
    own = asked.explicit or 1
    integer = rules.integers.get(width, 1)
    if start % (integer * 8) == 0 and not (asked.packed and integer > 1):
        own = max(own, integer)
    if rules.pack is not None:
        return min(max(asked.natural, own), rules.pack)
    return max(own, 1 if asked.packed else asked.natural)


def clang_align(asked: Wish, pack: int | None) -> int:
    """What a bit-field makes of the record's alignment, in bytes."""
    unpacked = max(asked.natural, asked.explicit)
    if pack is not None:
        return min(unpacked, pack)
    return max(1, asked.explicit) if asked.packed else unpacked


SYSV = (place_ordinary, place_zero_width, place_bit_field)

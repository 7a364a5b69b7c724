"""The places of bit-fields in gcc: it keeps a place as a multiple of some known alignment, and bits after that.

Source: gcc/stor-layout.cc, `place_field` and `normalize_rli`, and what GCC does.
"""

from __future__ import annotations

from typing import NamedTuple

from abiprobe.oracles.engine.attributes import Wish
from abiprobe.oracles.engine.records import Rules, round_up


class GccPlace(NamedTuple):
    """A place in a record as gcc keeps it, in bits: behind a multiple of the chunk of known alignment, or of more.

    A bit-field is aligned to its type in what lies behind, which for more than the chunk is not aligning it in the record.
    """

    base: int
    behind: int

    @property
    def start(self) -> int:
        """The place in the record."""
        return self.base + self.behind

    def aligned(self, align: int) -> GccPlace:
        """The next place whose distance from the base is a multiple of `align` (bits)."""
        return self._replace(behind=round_up(self.behind, align))


def place_at(rules: Rules, end: int) -> GccPlace:
    """The place at bit `end` of a record."""
    behind = end % rules.chunk
    return GccPlace(end - behind, behind)


def asked_alignment(rules: Rules, explicit: int) -> int:
    """The alignment in bits that an attribute asks for, in bytes, under #pragma pack; 0 asks for none."""
    return min(explicit, rules.pack or explicit) * 8


def is_met(rules: Rules, last: int, explicit: int) -> bool:
    """Return whether bit `last` of a record, where a bit-field ends, is a place that an attribute asks for, in bytes."""
    align = asked_alignment(rules, explicit)
    return bool(align) and last % align == 0


def gcc_aligned(rules: Rules, end: int, explicit: int, last: int) -> GccPlace:
    """The first place from bit `end` on that an attribute asks for, in bytes, unless bit `last` is such; 0 asks for none."""
    place, align = place_at(rules, end), asked_alignment(rules, explicit)
    if not align or is_met(rules, last, explicit):
        return place
    return place.aligned(align) if align < rules.chunk else GccPlace(round_up(end, align), 0)


def filled_integer(rules: Rules, start: int, width: int, asked: Wish) -> int:
    """The alignment in bytes of the integer that a bit-field fills where it lies, 0 if it fills none.

    gcc then treats it as that integer, whatever its declared type, and one with an attribute as if it stood alone:
    what an ABI takes off the alignment of members (i386, `long long`) is not taken off it.
    """
    integer = rules.integers.get(width, 0)
    if integer and asked.explicit:
        integer = max(integer, width // 8)
    fits = integer and start % (integer * 8) == 0 and not (asked.packed and integer > 1)
    return integer if fits else 0

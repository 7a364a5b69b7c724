"""The argument slots of the n32 and n64 conventions: words, of which the first eight have a general and a floating-point register each."""

from __future__ import annotations

from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register, StackSlot
from abiprobe.oracles.unmodelled import CALLS

WORD = 8
IN_REGISTERS = 8
"""Slots with registers."""
FIRST_REAL = 12
"""The number of the floating-point register of the first slot."""


class Slots:
    """The slots that are taken so far.

    Values are aligned by a count, which may differ from the slots: Clang counts what it asks LLVM for.
    """

    def __init__(self) -> None:
        self.used = 0
        self.counted = 0

    @property
    def left(self) -> int:
        """The number of slots with registers that are left."""
        return max(IN_REGISTERS - self.used, 0)

    @property
    def stack_bytes(self) -> int:
        """The bytes of the slots without registers."""
        return max(self.used - IN_REGISTERS, 0) * WORD

    def take(self, size: int, *, counted: bool = True) -> int:
        """The number of the first of the slots that `size` bytes take, and are counted to."""
        first, words = self.used, -(-size // WORD)
        self.used += words
        self.counted += counted * words
        return first

    def align(self, align: int) -> None:
        """Leave out a slot before what is aligned to more bytes than one has, if the count is odd."""
        odd = align > WORD and self.counted % 2
        self.used += odd
        self.counted += odd

    def count_aligned(self, align: int) -> None:
        """Count a slot before such a value, and leave none out."""
        self.counted += align > WORD and self.counted % 2


def general(slot: int) -> Place:
    """The general register of a slot, or its place on the stack."""
    return Register(f"a{slot}") if slot < IN_REGISTERS else StackSlot((slot - IN_REGISTERS) * WORD)


def real(slot: int) -> Place:
    """The floating-point register of a slot, or its place on the stack."""
    return Register(f"f{FIRST_REAL + slot}") if slot < IN_REGISTERS else general(slot)


def word(start: int, end: int, place: Place, above: Extension = Extension.ANY, at: int = 0) -> Piece:
    """The bytes `[start, end)` of a value in a word, behind `at` others, and what else is there in a register."""
    wide = above if isinstance(place, Register) else Extension.ANY
    rest = wide if end - start < WORD else None
    return Piece(start, end, place, CALLS, rest, WORD, CALLS if rest else "", at=at)


def in_words(
    value: Travelling, places: list[Place], above: Extension = Extension.ANY, before: int = 0
) -> Passed:
    """A value of which each word has a place; one that is narrower is behind so many bytes."""
    starts = range(0, value.size, WORD)
    pieces = (
        word(start, min(start + WORD, value.size), place, above, before)
        for start, place in zip(starts, places, strict=True)
    )
    return value.passed(Passing.DIRECT, CALLS, *pieces)


def real_before(types: TypeTable, size: int, place: Place) -> int:
    """The bytes of a word before a real: a register of a big-endian machine has it at its end, and the stack at its beginning."""
    at_end = types.data.order == "big" and isinstance(place, Register) and size < WORD
    return WORD - size if at_end else 0

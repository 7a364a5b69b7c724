"""The parameter array: words in memory, and the registers that have the first of them."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.sparc.v8.data import WORD
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece, Place, Register, StackSlot

cite, implements = citing(__package__)
OUTS = 6
"""The words that are in %o registers."""
HEADER = 68
"""Bytes from the stack pointer to the parameter array: the save area of a register window and the word for a result's pointer."""

REGISTERS = cite("pass.registers")
MEMORY = cite("pass.memory")


class ParameterArray:
    """The words of a parameter array that are assigned so far."""

    def __init__(self) -> None:
        self.words = 0

    @implements("pass.array")
    def assign(self, size: int) -> int:
        """The number of the first of the words that `size` bytes take."""
        # [sparc32:pass.array]
        first = self.words
        self.words += -(-size // WORD)
        return first

    @implements("pass.area")
    def area(self) -> int:
        """The bytes above the stack pointer that the caller provides."""
        # [sparc32:pass.area]
        return HEADER + max(self.words, OUTS) * WORD


def in_words(first: int, size: int, clause: str) -> Iterator[Piece]:
    """A value of whole words from number `first` on; `clause` is what has the words of a register in order."""
    for start in range(0, size, WORD):
        place, decided = place_of(first + start // WORD)
        next_register = start and isinstance(place, Register)
        yield Piece(start, start + WORD, place, clause if next_register else decided, None, WORD)


def in_word(first: int, size: int, above: Extension, why: str) -> Piece:
    """A value of up to a word at the right of word number `first`, and what is `above` it, for which `why` answers."""
    place, clause = place_of(first)
    rest = above if size < WORD else None
    return Piece(0, size, place, clause, rest, WORD, why if rest else "", at=WORD - size)


@implements("pass.registers", "pass.memory")
def place_of(word: int) -> tuple[Place, str]:
    """Return the place of a word of the parameter array, and its clause."""
    # [sparc32:pass.registers]
    if word < OUTS:
        return Register(f"o{word}"), REGISTERS
    # [sparc32:pass.memory]
    return StackSlot(HEADER + word * WORD), MEMORY

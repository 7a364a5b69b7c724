"""The parameter array: extended words in memory, and the registers that the first of them correspond to (3P-11)."""

from __future__ import annotations

from abiprobe.oracles.abis.sparc.data import EXTENDED_WORD, QUADWORD
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece, Place, Register, StackSlot

cite, implements = citing(__package__)
OUTS, REALS = 6, 16
"""The words that correspond to %o registers, and to floating-point registers."""
HEADER = 128
"""Bytes from the bottom of the frame, which is the stack pointer and its bias, to the parameter array."""
SINGLE = 4
"""Bytes of a single-precision register, two of which are a double-precision one and four a quad-precision one."""
GROUPS = {8: "d", 16: "q"}

GENERAL = cite("pass.general")
MEMORY = cite("pass.memory")
UNUSED = cite("pass.unused")


class ParameterArray:
    """The words of a parameter array that are assigned so far, `floats` of them to a float."""

    def __init__(self) -> None:
        self.words = 0
        self.counted = 0
        """the words by which a compiler aligns structures; by the text all"""
        self.memory = 0
        """the words that are assigned in memory by a compiler that does not have all there"""

    @implements("pass.array")
    def assign(self, size: int, counted: int | None = None) -> int:
        """The number of the first of the words that `size` bytes take, of which a compiler may count others."""
        # [scd:pass.array]
        first, words = self.words, -(-size // EXTENDED_WORD)
        self.words += words
        self.counted += words if counted is None else counted
        return first

    def advance_memory(self, count: int, align: int, *, outside: bool, there: bool) -> int:
        """Assign memory to the `count` words that were assigned last, if they are `there`; the words that it is below them.

        What is `outside` of registers is behind the memory of those.
        """
        start = max(self.memory, OUTS) if outside else self.memory
        start += align >= QUADWORD and start % 2
        self.memory = start + count * there
        return self.words - count - start

    @implements("pass.hole")
    def align(self, align: int, *, counted: bool = True) -> bool:
        """Leave a word out where that is needed for an alignment of 16 bytes, which a compiler may not count; whether it was."""
        # [scd:pass.hole]
        odd = align >= QUADWORD and self.words % 2 == 1
        self.words += odd
        self.counted += odd and counted
        return odd

    def align_structure(self, align: int) -> bool:
        """Leave a word out for a structure where that is needed by the words that are counted; whether it was."""
        odd = align >= QUADWORD and self.counted % 2 == 1
        self.words += odd
        self.counted += odd
        return odd

    @implements("pass.area")
    def area(self) -> int:
        """The bytes above the bottom of the frame that the caller provides."""
        # [scd:pass.area]
        return HEADER + max(self.words, OUTS) * EXTENDED_WORD


def in_array(
    first: int,
    start: int,
    end: int,
    general: str = GENERAL,
    moved: str = "",
    above: Extension | None = Extension.ANY,
    why: str = UNUSED,
    before: int = 0,
) -> tuple[Piece, ...]:
    """The bytes `[start, end)` of a value, in general registers or in memory.

    The value is in the words from number `first` on, of which it leaves the first `before` bytes. Each register has the bytes
    of a word, and what is in memory is one piece. `above` is in the rest of the words, for which `why` answers. `general` is
    what has a word in a register, and `moved`, if it is told, what has the value not in the words before.
    """
    pieces = []
    while start < end:
        at = (before + start) % EXTENDED_WORD
        word = first + (before + start) // EXTENDED_WORD
        stop = end if word >= OUTS else min(start + EXTENDED_WORD - at, end)
        width = -(-(at + stop - start) // EXTENDED_WORD) * EXTENDED_WORD
        rest = above if width > stop - start else None
        place, clause = place_of(word, general)
        pieces.append(Piece(start, stop, place, moved or clause, rest, width, why if rest else "", at=at))
        start = stop
    return tuple(pieces)


@implements("pass.general", "pass.memory")
def place_of(word: int, general: str) -> tuple[Place, str]:
    """Return the place of a word of the parameter array that no floating-point register has, and its clause."""
    # [scd:pass.general]
    if word < OUTS:
        return Register(f"o{word}"), general
    # [scd:pass.memory]
    return StackSlot(HEADER + word * EXTENDED_WORD), MEMORY


def in_reals(first: int, start: int, end: int, clause: str) -> tuple[Piece, ...]:
    """The bytes `[start, end)` of a value in single-precision registers from number `first` on."""
    letter = GROUPS.get(end - start)
    return tuple(
        Piece(
            start + SINGLE * number,
            start + SINGLE * (number + 1),
            Register(f"f{first + number}"),
            clause,
            None,
            SINGLE,
            group=f"{letter}{first}" if letter else "",
        )
        for number in range((end - start) // SINGLE)
    )

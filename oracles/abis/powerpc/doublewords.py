"""The list of doublewords that arguments of 64-bit PowerPC are mapped to, by both of its ELF ABIs.

The first eight are r3 to r10, those behind them are in the Parameter Save Area. Floating-point and vector registers are used
up beside the list.
"""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.text.place import Extension, Piece, Place, Register, StackSlot

DOUBLEWORD, QUADWORD = 8, 16
GENERAL = tuple(f"r{number}" for number in range(3, 11))
FLOATING = tuple(f"f{number}" for number in range(1, 14))
VECTORS = tuple(f"v{number}" for number in range(2, 14))
SMALLEST_AREA = len(GENERAL) * DOUBLEWORD
"""Bytes of the smallest Parameter Save Area."""


@dataclass(frozen=True)
class ListClauses:
    """The clauses by which one ABI has doublewords of the list in general registers, and in memory."""

    register: str
    memory: str


class Doublewords:
    """The places left for the arguments of a call: the next doubleword of the list, floating-point and vector registers.

    The Parameter Save Area starts `header` bytes above the stack pointer at the call. `in_memory` says whether anything is
    behind the registers.
    """

    def __init__(self, header: int, text: ListClauses) -> None:
        self.header = header
        self.text = text
        self.next = 0
        self.registers = Cursor(floating=FLOATING, vector=VECTORS)
        self.in_memory = False

    def place(self) -> Place:
        """The place of the next doubleword of the list, which stays the next one."""
        if self.next < len(GENERAL):
            return Register(GENERAL[self.next])
        self.in_memory = True
        return StackSlot(self.header + self.next * DOUBLEWORD)

    def skip(self, size: int) -> None:
        """Pass by the doublewords that correspond to `size` bytes in registers of another kind."""
        self.next += round_up(size, DOUBLEWORD) // DOUBLEWORD

    def align(self, align: int) -> bool:
        """Skip a doubleword where that is needed for an alignment of 16; whether it was."""
        odd = align >= QUADWORD and self.next % 2 == 1
        self.next += odd
        return odd

    def place_bytes(
        self, start: int, end: int, clause: str, above: Extension | None = None, why: str = "", at: int = 0
    ) -> tuple[Piece, ...]:
        """The bytes `[start, end)` of a value in the next doublewords, those in memory in one piece.

        `above` stands beside them in a doubleword that they do not fill, for which `why` answers: behind them, or before
        them where they start at byte `at` of their one doubleword. `clause` is told where it is more than that the next
        doublewords are taken.
        """
        pieces = []
        while start < end:
            place = self.place()
            in_memory = isinstance(place, StackSlot)
            stop = end if in_memory else min(start + DOUBLEWORD, end)
            width = round_up(stop - start, DOUBLEWORD)
            ending = above if stop == end and width > stop - start else None
            cited = clause or (self.text.memory if in_memory else self.text.register)
            pieces.append(Piece(start, stop, place, cited, ending, width, why if ending else "", at=at))
            self.skip(width)
            start = stop
        return tuple(pieces)

    @property
    def area(self) -> int:
        """The bytes from the stack pointer on to the end of the list, or of the smallest Parameter Save Area."""
        return self.header + max(SMALLEST_AREA, self.next * DOUBLEWORD)

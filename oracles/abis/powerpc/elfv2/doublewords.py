"""The list of doublewords that arguments are mapped to: r3 to r10 and the Parameter Save Area behind them (2.2.3, 2.2.3.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.elfv2.data import DOUBLEWORD, QUADWORD
from abiprobe.oracles.abis.powerpc.elfv2.sheet import cite, implements
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.place import Extension, Piece, Place, Register, StackSlot

GENERAL = tuple(f"r{number}" for number in range(3, 11))
FLOATING = tuple(f"f{number}" for number in range(1, 14))
VECTORS = tuple(f"v{number}" for number in range(2, 14))
HEADER = 32
"""Bytes from the stack pointer at the call to the Parameter Save Area."""
SMALLEST_AREA = len(GENERAL) * DOUBLEWORD

REGISTER = cite("pass.general")
MEMORY = cite("pass.memory")
ALIGNED = cite("pass.aligned")
UNUSED = cite("pass.unused")


class Doublewords:
    """What is left to the arguments of a call: the next doubleword of the list, floating-point and vector registers."""

    def __init__(self) -> None:
        self.next = 0
        self.registers = Cursor(floating=FLOATING, vector=VECTORS)
        self.in_memory = False

    @implements("pass.list", "pass.memory")
    def place(self) -> Place:
        """The place of the next doubleword of the list, which stays the next one."""
        # [elfv2:pass.list]
        if self.next < len(GENERAL):
            return Register(GENERAL[self.next])
        # [elfv2:pass.memory]
        self.in_memory = True
        return StackSlot(HEADER + self.next * DOUBLEWORD)

    @implements("pass.skip")
    def skip(self, size: int) -> None:
        """Pass by the doublewords that correspond to `size` bytes in registers of another kind."""
        # [elfv2:pass.skip]
        self.next += round_up(size, DOUBLEWORD) // DOUBLEWORD

    @implements("pass.aligned")
    def align(self, align: int) -> bool:
        """Skip a doubleword where that is needed for an alignment of 16; whether it was."""
        # [elfv2:pass.aligned]
        odd = align >= QUADWORD and self.next % 2 == 1
        self.next += odd
        return odd

    def place_bytes(
        self, start: int, end: int, clause: str, above: Extension | None = None, why: str = ""
    ) -> tuple[Piece, ...]:
        """The bytes `[start, end)` of a value in the next doublewords, those in memory in one piece.

        `above` stands behind the last byte in its doubleword, for which `why` answers. `clause` is told where it is more
        than that the next doublewords are taken.
        """
        pieces = []
        while start < end:
            place = self.place()
            stop = end if isinstance(place, StackSlot) else min(start + DOUBLEWORD, end)
            width = round_up(stop - start, DOUBLEWORD)
            ending = above if stop == end and width > stop - start else None
            cited = clause or (MEMORY if isinstance(place, StackSlot) else REGISTER)
            pieces.append(Piece(start, stop, place, cited, ending, width, why if ending else ""))
            self.skip(width)
            start = stop
        return tuple(pieces)

    @implements("pass.area")
    def area(self, *, variadic: bool) -> int:
        """The bytes above the stack pointer that the caller provides."""
        # [elfv2:pass.area]
        if not (variadic or self.in_memory):
            return HEADER
        return HEADER + max(SMALLEST_AREA, self.next * DOUBLEWORD)

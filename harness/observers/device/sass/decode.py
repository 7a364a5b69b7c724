"""From 16 bytes to an instruction, by the table of opcodes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.observers.device.sass.opcodes import OPCODES, Op

BYTES = 16
RZ = 255
UNIFORM_FLAG = 91
"""The bit that says that a memory access adds a uniform register."""
ALWAYS = 7
"""The predicate that is always true."""
ACCESS = {
    0: (1, False),
    1: (1, True),
    2: (2, False),
    3: (2, True),
    4: (4, False),
    5: (8, False),
    6: (16, False),
}
"""Bytes of a memory access and whether it extends a sign, by its width field."""


class UndecodedError(Exception):
    """The table does not know an instruction, or what follows cannot be told from it; says which and where."""


class Instruction(msgspec.Struct, frozen=True, gc=False):
    """One instruction as a number of 128 bits."""

    at: int
    op: Op
    word: int

    def field(self, first: int, width: int) -> int:
        """`width` bits from bit `first` on."""
        return self.word >> first & (1 << width) - 1

    @property
    def opcode(self) -> int:
        """The low 12 bits."""
        return self.word & 0xFFF

    @property
    def guarded(self) -> bool:
        """Return whether a predicate decides if it is carried out."""
        return self.word >> 12 & 0xF != ALWAYS

    @property
    def d(self) -> int:
        """The number of the target register."""
        return self.word >> 16 & 0xFF

    @property
    def a(self) -> int:
        """The number of the first source register."""
        return self.word >> 24 & 0xFF

    @property
    def b(self) -> int:
        """The number of the register in the second source field."""
        return self.word >> 32 & 0xFF

    @property
    def c(self) -> int:
        """The number of the register in the third source field."""
        return self.word >> 64 & 0xFF

    @property
    def immediate(self) -> int:
        """The 32-bit constant."""
        return self.word >> 32 & 0xFFFFFFFF

    @property
    def offset(self) -> int:
        """The signed byte offset of a memory access; a generic one without a uniform register has a wider field."""
        if self.is_plain_generic:
            return self.immediate - (self.field(63, 1) << 32)
        return (self.word >> 40 & 0xFFFFFF) - (self.word >> 63 & 1) * 0x1000000

    @property
    def is_plain_generic(self) -> bool:
        """Return whether it is a generic access without a uniform register."""
        return self.op in {Op.LD, Op.ST} and not self.field(UNIFORM_FLAG, 1)

    @property
    def data(self) -> int:
        """The number of the first register that a store stores."""
        return self.c if self.is_plain_generic else self.b

    @property
    def access(self) -> tuple[int, bool]:
        """Bytes that a memory access moves, and whether it extends a sign."""
        try:
            return ACCESS[self.word >> 73 & 7]
        except KeyError:
            raise UndecodedError(f"access of unknown width at {self.at:#x}") from None


def decode(code: bytes) -> Iterator[Instruction]:
    """The instructions of a function, one after the other.

    Raises `UndecodedError` when it reaches an opcode that is not in the table.
    """
    for at in range(0, len(code) - BYTES + 1, BYTES):
        word = int.from_bytes(code[at : at + BYTES], "little")
        op = OPCODES.get(word & 0xFFF)
        if op is None:
            raise UndecodedError(f"opcode {word & 0xFFF:#x} at {at:#x}")
        yield Instruction(at, op, word)

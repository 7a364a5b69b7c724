"""The frame unwinding instructions of the Exception Handling ABI for Arm as rules for registers (EHABI32, Frame unwinding instructions).

A virtual stack pointer, vsp, begins as sp, registers are popped from where it points, and at the end it is that of the caller. So each
instruction moves a place that is known from a register, and a register that is popped is saved there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.unwinding.rules import (
    CfaRule,
    Clauses,
    Expression,
    InRegister,
    Operation,
    RegisterOffset,
    Row,
    Rule,
    UndefinedError,
    ValueExpression,
)

cite = load_sheet(__package__, "arm.toml").cite
POP, VSP = cite("exidx.pop"), cite("exidx.vsp")
CLAUSES = Clauses(
    VSP, cite("exidx.call-site"), cite("exidx.return"), cite("exidx.unsaved"), {Expression: POP}
)
SP, LR, PC = 13, 14, 15
D0 = 256
"""The number of d0 in DWARF; that of r0 is 0."""
WORD, DOUBLE = 4, 8


class Place(msgspec.Struct, frozen=True):
    """A place so many bytes from the contents of a register, by its number, or from what operations leave."""

    base: int | tuple[Operation, ...]
    offset: int = 0

    def moved(self, count: int) -> Place:
        """The place so many bytes further."""
        return Place(self.base, self.offset + count)

    @property
    def address(self) -> tuple[Operation, ...]:
        """The operations that leave its address."""
        if isinstance(self.base, int):
            return ((f"DW_OP_breg{self.base}", (self.offset,)),)
        return *self.base, ("DW_OP_const4s", (self.offset,)), ("DW_OP_plus", ())

    @property
    def contents(self) -> Place:
        """The place to which the word points that is there."""
        return Place((*self.address, ("DW_OP_deref", ())))

    @property
    def cfa(self) -> CfaRule:
        """The rule of a CFA that lies there."""
        return (
            RegisterOffset(self.base, self.offset)
            if isinstance(self.base, int)
            else ValueExpression(self.address)
        )


class Registers:
    """The virtual registers while instructions are interpreted: vsp, and the places from which others were popped."""

    def __init__(self) -> None:
        self.vsp, self.saved = Place(SP), dict[int, Place]()

    def pop(self, numbers: Iterable[int], size: int = WORD) -> None:
        """Pop registers of `size` bytes, the lowest first; a vsp among them is set behind the others."""
        stack = None
        for number in numbers:
            if number == SP:
                stack = self.vsp.contents
            else:
                self.saved[number] = self.vsp
            self.vsp = self.vsp.moved(size)
        self.vsp = stack or self.vsp

    def pop_doubles(self, first: int, count: int, *, behind: int = 0) -> None:
        """Pop registers of VFP, `behind` which FSTMX leaves bytes."""
        self.pop(range(D0 + first, D0 + first + count), DOUBLE)
        self.vsp = self.vsp.moved(behind)

    def jump(self, number: int) -> None:
        """Set vsp to the contents of a register, which may have been popped."""
        saved = self.saved.get(number)
        self.vsp = Place(number) if saved is None else saved.contents


def row(code: Sequence[int]) -> Row:
    """The rules that unwinding instructions amount to; raises `UndefinedError` where they refuse, end early or are reserved."""
    registers, left = Registers(), iter(code)
    for first in left:
        if first == 0b10110000:
            break
        try:
            step(first, left, registers)
        except StopIteration:
            raise UndefinedError(f"the instruction {first:#04x} has no end") from None
    saved: dict[int, Rule] = {number: Expression(place.address) for number, place in registers.saved.items()}
    saved.setdefault(PC, saved.get(LR, InRegister(LR)))
    return Row(registers.vsp.cfa, saved, PC)


def step(first: int, left: Iterator[int], registers: Registers) -> None:
    """Interpret the instruction that begins with a byte; takes its other ones from those that are left."""
    if first < 0x40:
        registers.vsp = registers.vsp.moved((first << 2) + 4)
    elif first < 0x80:
        registers.vsp = registers.vsp.moved(-((first & 0x3F) << 2) - 4)
    elif first < 0x90:
        mask = (first & 0xF) << 8 | next(left)
        if not mask:
            raise UndefinedError("it refuses to unwind")
        registers.pop(named(mask, 4))
    elif first < 0xA0 and first & 0xF not in {SP, PC}:
        registers.jump(first & 0xF)
    elif 0xA0 <= first < 0xB0:
        registers.pop((*range(4, 5 + (first & 7)), *((LR,) if first & 8 else ())))
    else:
        rarer(first, left, registers)


def rarer(first: int, left: Iterator[int], registers: Registers) -> None:
    """Interpret the instructions that compilers need less."""
    match first:
        case 0b10110001:
            mask = next(left)
            if not 0 < mask < 0x10:
                raise UndefinedError(f"the instruction {first:#04x} {mask:#04x} is spare")
            registers.pop(named(mask, 0))
        case 0b10110010:
            registers.vsp = registers.vsp.moved(0x204 + (unsigned(left) << 2))
        case 0b10110011:
            registers.pop_doubles(*several(left), behind=WORD)
        case 0b10110100:  # the code that authenticates the return address
            registers.vsp = registers.vsp.moved(WORD)
        case 0b10110101:  # vsp is what the return address is authenticated with
            pass
        case 0b11001000:
            start, count = several(left)
            registers.pop_doubles(16 + start, count)
        case 0b11001001:
            registers.pop_doubles(*several(left))
        case _ if first & 0xF8 == 0b10111000:
            registers.pop_doubles(8, 1 + (first & 7), behind=WORD)
        case _ if first & 0xF8 == 0b11010000:
            registers.pop_doubles(8, 1 + (first & 7))
        case _:
            raise UndefinedError(f"the instruction {first:#04x} is reserved, spare or of Intel Wireless MMX")


def named(mask: int, first: int) -> list[int]:
    """The registers of a mask, whose lowest bit is register `first`."""
    return [first + bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def several(left: Iterator[int]) -> tuple[int, int]:
    """The first register, and how many, of a byte ssss cccc."""
    byte = next(left)
    return byte >> 4, 1 + (byte & 0xF)


def unsigned(left: Iterator[int]) -> int:
    """A number in unsigned LEB128."""
    value = shift = 0
    while True:
        byte = next(left)
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value

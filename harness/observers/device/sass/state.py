"""The known state in the middle of a function: registers, memory, and the states at its calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from abiprobe.harness.observers.device.sass.decode import RZ
from abiprobe.harness.observers.device.sass.symbols import (
    UNKNOWN,
    ZERO,
    InBuffer,
    Lost,
    Returned,
    Stack,
    Symbol,
    Unwritten,
    Word,
    address,
    at_entry,
    word_of,
)
from abiprobe.oracles.abis.ptx.sass.places import is_preserved

STACK_POINTER = 1
FIRST_ARGUMENT, LAST_ARGUMENT = 4, 15
ENTRY = "entry"
UNIFORM_ZERO = 63


class Misaligned(NamedTuple):
    """An access of `size` bytes of the stack, `offset` bytes from the stack pointer at entry, that is not at a multiple of its size.

    `of` is its first byte. In `shared` memory the offset is the address.
    """

    op: str
    offset: int
    size: int
    of: Symbol
    shared: bool = False


class Overwritten(NamedTuple):
    """A register that a function gives back with a byte of an argument in it; the return address is one, too."""

    number: int
    by: Symbol


Fault: TypeAlias = Misaligned | Overwritten


@dataclass
class State:
    """Registers, uniform registers and memory, as far as they are known.

    `memory` is local memory by base and offset, `shared` what was stored there. `calls` are the states at each call, `faults` what the
    code does wrong whatever it is asked.
    """

    registers: dict[int, Word] = field(default_factory=dict)
    uniform: dict[int, Word] = field(default_factory=dict)
    memory: dict[tuple[str, int], Symbol] = field(default_factory=dict)
    shared: dict[int, Symbol] = field(default_factory=dict)
    calls: list[State] = field(default_factory=list)
    buffer: tuple[str, int] | None = None
    faults: list[Fault] = field(default_factory=list)

    def read(self, number: int) -> Word:
        """Return the word in a register."""
        if number == RZ:
            return ZERO
        return self.registers.get(number, UNKNOWN)

    def read_uniform(self, number: int) -> Word:
        """Return the word in a uniform register."""
        return ZERO if number & 63 == UNIFORM_ZERO else self.uniform.get(number & 63, UNKNOWN)

    def write(self, number: int, word: Word) -> None:
        """Give a register a new value."""
        if number != RZ:
            self.registers[number] = word

    def local(self, base: str, offset: int) -> Symbol:
        """A byte of local memory; above the entry's stack pointer are the arguments."""
        if (base, offset) in self.memory:
            return self.memory[base, offset]
        if self.buffer is not None and self.buffer[0] == base and offset >= self.buffer[1]:
            return InBuffer(offset - self.buffer[1])
        if base == ENTRY and offset >= 0:
            return Stack(offset)
        return Unwritten(base, offset) if self.is_only_frame(base) else None

    def is_only_frame(self, base: str) -> bool:
        """Return whether nothing was written through another name of the own frame; a stack pointer that is rounded gets one."""
        return all(other == base or other.startswith("R") for other, _ in self.memory)

    def copy(self) -> State:
        """The state as it is now."""
        return State(
            dict(self.registers), dict(self.uniform), dict(self.memory), dict(self.shared), [], self.buffer
        )


AT_ENTRY: dict[int, Word] = {number: at_entry(number) for number in range(RZ)} | {
    STACK_POINTER: address(ENTRY, 0)
}
"""Values of the registers when a function begins."""
RETURNED: dict[int, Word] = {
    number: word_of([Returned(number, byte) for byte in range(4)])
    for number in range(FIRST_ARGUMENT, LAST_ARGUMENT + 1)
}
"""Values of the argument registers when a called function has returned."""
LOST: dict[int, Word] = {
    number: word_of([Lost(number, byte) for byte in range(4)])
    for number in range(RZ)
    if number not in RETURNED and number != STACK_POINTER and not is_preserved(number)
}
"""Registers that a called function may have changed."""


def entry() -> State:
    """The state in which a function begins."""
    return State(dict(AT_ENTRY))

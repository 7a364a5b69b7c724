"""The places of a device function's parameters and result: registers R4 to R15, and the stack.

A place is the first of a run of registers, or memory at a byte offset from R1 at callee entry. It depends on size and
alignment alone, for any architecture, level of optimisation and release of ptxas that was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.text.clause import citing, load_sheet
from abiprobe.oracles.text.place import Files, RegisterFile, StackSlot

cite, implements = citing(__package__)
SHEET = load_sheet("abiprobe.oracles.abis.ptx")
REGISTER = cite("place.register")
HOLE = cite("place.hole")
WHOLE = cite("place.whole")
TAIL = cite("place.tail")
UNSIZED = cite("place.unsized")
RESULT_REGISTERS = cite("result.registers")
RESULT_MEMORY = cite("result.memory")
ROLES = cite("register.roles")

WORD = 4
"""Bytes of a register, and the least alignment of a stack argument."""
FIRST, COUNT = 4, 12
"""The first argument register, R4, and how many there are."""
ALIGN_LIMIT = 16
"""The greatest alignment in bytes that a run of registers respects."""
RESULT_LIMIT = COUNT * WORD
"""Bytes of the largest result that comes back in registers."""
STACK_POINTER = "R1"
RETURN_ADDRESS = ("R20", "R21")
LARGEST = 255
"""The number of the zero register; those below are real."""
FILES: Files = {f"R{number}": RegisterFile.GENERAL for number in range(LARGEST)}
"""There is one file for values of every kind."""


@dataclass(frozen=True)
class Run:
    """Consecutive registers from number `first` on, as many as the value fills."""

    first: int


Spot: TypeAlias = Run | StackSlot


@dataclass(frozen=True)
class Placed:
    """The place of one parameter, and its clause."""

    spot: Spot
    clause: str


@dataclass(frozen=True)
class FunctionPlaces:
    """The places of a call; `hidden` says that R4 brings the address of the result's memory.

    `stack_bytes` is the size of the stack argument area. `result` is `None` for a result in memory, and for none.
    """

    params: tuple[Placed, ...]
    result: Placed | None
    hidden: bool
    stack_bytes: int


@SHEET.implements("place.abstract")
@implements("place.register", "place.hole", "place.whole", "place.unsized")
def assign(params: Sequence[Parameter], result: Parameter | None = None) -> FunctionPlaces:
    """The places of a call, in order of the parameters."""
    hidden = result is not None and result.size > RESULT_LIMIT
    free = [index > 0 or not hidden for index in range(COUNT)]
    stack = 0
    placed: list[Placed] = []
    for param in params:
        first = None if param.is_unsized else first_fit(free, param.size, param.align)
        if first is None:
            stack = round_up(stack, max(param.align, WORD))
            placed.append(Placed(StackSlot(stack), UNSIZED if param.is_unsized else WHOLE))
            stack += round_up(param.size, WORD)
            continue
        taken = words(param.size)
        # A later register in use shows that this run was left free by an alignment.
        clause = HOLE if not all(free[first + taken :]) else REGISTER
        free[first : first + taken] = [False] * taken
        placed.append(Placed(Run(FIRST + first), clause))
    return FunctionPlaces(tuple(placed), returned(result), hidden, stack)


def first_fit(free: Sequence[bool], size: int, align: int) -> int | None:
    """The lowest aligned run of free registers that holds `size` bytes, by its index; `None` if there is none."""
    taken, step = words(size), max(1, min(align, ALIGN_LIMIT) // WORD)
    for first in range(0, COUNT + 1 - taken, step):
        if all(free[first : first + taken]):
            return first
    return None


@implements("result.registers", "result.memory")
def returned(result: Parameter | None) -> Placed | None:
    """A result in registers starts at R4; a larger one is in memory and has no place of its own."""
    # [ptx_sass:result.memory]
    if result is None or result.size > RESULT_LIMIT:
        return None
    return Placed(Run(FIRST), RESULT_REGISTERS)


def words(size: int) -> int:
    """Return the number of registers that `size` bytes fill."""
    return -(-size // WORD)


@implements("register.roles")
def is_preserved(number: int) -> bool:
    """Return whether a callee preserves register R`number`."""
    if number >= 32:
        return number % 8 >= 4
    return number == 2 or 16 <= number <= 19 or number >= 22


PRESERVED = tuple(f"R{number}" for number in range(LARGEST) if is_preserved(number))
"""The registers that a callee preserves, by name."""

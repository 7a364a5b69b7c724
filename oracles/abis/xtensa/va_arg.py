"""Unnamed arguments of Xtensa where the `va_arg` of a compiler looks for them, which is not always where callers put them.

Sources: GCC, xtensa.cc, xtensa_function_arg_1, xtensa_va_start and xtensa_gimplify_va_arg_expr; Clang, XtensaABIInfo::EmitVAArg, and
LowerVASTART of LLVM's XtensaISelLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from abiprobe.oracles.abis.xtensa.data import QUADWORD, WORD
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Complex, Record, strip
from abiprobe.oracles.text.place import Passed, Piece, Register, StackSlot

ARGUMENTS = tuple(f"a{number}" for number in range(2, 8))
SAVED = 32
"""Bytes before the stack's arguments from which `va_arg` counts: those of the registers, and what aligns the stack behind them."""


@dataclass(frozen=True)
class Unit:
    """Bytes of a value that are passed as one argument: their `start`, `size` and alignment."""

    start: int
    size: int
    align: int

    def alignment(self, reading: Reading | None) -> int:
        """The alignment on the stack in bytes, of which gcc keeps to no more than 16."""
        return max(self.align if reading is Reading.CLANG else min(self.align, QUADWORD), WORD)


def units_of(types: TypeTable, value: Travelling) -> tuple[Unit, ...]:
    """What is passed of a value as one argument each: all of it, or of a complex number of gcc's its parts."""
    declared = strip(value.declared)
    if types.reading is Reading.GCC and isinstance(declared, Complex):
        half = value.size // 2
        return Unit(0, half, max(half, WORD)), Unit(half, half, max(half, WORD))
    # A narrow integer is an int by then, whatever its name asks for.
    is_int = value.size < WORD and not isinstance(value.type, Record)
    return (Unit(0, value.size, WORD if is_int else max(value.align, WORD)),)


@dataclass(frozen=True)
class Named:
    """What the named arguments take: `registers` with that of a result's address, if it is `hidden`, and `stack` bytes."""

    values: Sequence[Travelling]
    registers: int
    stack: int
    hidden: bool


def taken(
    types: TypeTable, named: Named, values: Sequence[Travelling], params: Sequence[Passed]
) -> Iterator[Passed]:
    """Unnamed arguments, the `values` behind the named ones, as `va_arg` takes them, where callers put them in `params`."""
    policies = types.policies
    if policies.va_arg_counts_named_twice:
        base, at, shift = named.stack, 0, named.registers
    elif policies.va_arg_aligns_by_words:
        base, at, shift = 0, counted(types, named), 0
    else:
        yield from params
        return
    for value, passed in zip(values, params, strict=True):
        if shift and passed.pieces and isinstance(passed.pieces[0].place, Register):
            yield passed.with_pieces(later(passed.pieces, shift))
            continue
        moved = {}
        for unit in units_of(types, value):
            if any(isinstance(one.place, StackSlot) and one.start == unit.start for one in passed.pieces):
                start = round_up(SAVED + at, unit.alignment(types.reading)) - SAVED
                moved[unit.start] = StackSlot(base + start)
                at = start + round_up(unit.size, WORD)
        yield structs.replace(
            passed,
            pieces=tuple(structs.replace(one, place=moved.get(one.start, one.place)) for one in passed.pieces),
        )


def later(pieces: Sequence[Piece], shift: int) -> Iterator[Piece]:
    """Pieces so many registers later; what would be behind the last register is some memory."""
    for piece in pieces:
        number = ARGUMENTS.index(piece.place.name) + shift if isinstance(piece.place, Register) else len(ARGUMENTS)
        if number < len(ARGUMENTS):
            yield structs.replace(piece, place=Register(ARGUMENTS[number]))


def counted(types: TypeTable, named: Named) -> int:
    """The bytes that gcc counts for named arguments on the stack: it aligns from the first register on, six words before them."""
    words = int(named.hidden)
    for unit in (unit for value in named.values for unit in units_of(types, value)):
        words = round_up(words, unit.alignment(types.reading) // WORD)
        size = -(-unit.size // WORD)
        if words < len(ARGUMENTS) < words + size:
            words = len(ARGUMENTS)
        words += size
    return max(words - len(ARGUMENTS), 0) * WORD

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
SAVED = 8
"""Words that clang counts before the stack: those of the registers, and two that align it."""


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
    """The parts of a value that are passed as one argument each: all of it, or of a complex number of gcc's its parts."""
    declared = strip(value.declared)
    if types.reading is Reading.GCC and isinstance(declared, Complex):
        half = value.size // 2
        return Unit(0, half, max(half, WORD)), Unit(half, half, max(half, WORD))
    # A narrow integer is an int by then, whatever its name asks for.
    is_int = value.size < WORD and not isinstance(value.type, Record)
    return (Unit(0, value.size, WORD if is_int else max(value.align, WORD)),)


@dataclass(frozen=True)
class Named:
    """The places that named arguments take: `registers` with that of a result's address, if it is `hidden`, and `stack` bytes."""

    values: Sequence[Travelling]
    registers: int
    stack: int
    hidden: bool


def taken(
    types: TypeTable, named: Named, values: Sequence[Travelling], params: Sequence[Passed]
) -> Iterator[Passed]:
    """Unnamed arguments, the `values` behind the named ones, as `va_arg` takes them, where callers put them in `params`."""
    if types.policies.va_arg_counts_named_twice:
        return by_index(named, values, params)
    if types.policies.va_arg_aligns_by_words:
        return from_counted(types, named, values, params)
    return iter(params)


def by_index(named: Named, values: Sequence[Travelling], params: Sequence[Passed]) -> Iterator[Passed]:
    """Values where clang looks by a count of words, that of the registers and two to align the stack: its registers begin behind the named ones.

    What would be behind the last register is some memory. It takes what callers leave out, too.
    """
    at = named.registers if named.registers < len(ARGUMENTS) else SAVED
    for value, passed in zip(values, params, strict=True):
        words = -(-value.size // WORD)
        at = round_up(at, max(value.align, WORD) // WORD)
        if at <= len(ARGUMENTS) < at + words:
            at = SAVED
        yield passed.with_pieces(moved(passed.pieces, named, at)) if passed.pieces else passed
        at += words


def moved(pieces: Sequence[Piece], named: Named, at: int) -> Iterator[Piece]:
    """Pieces of a value in the words from number `at` on."""
    for piece in pieces:
        number = at + named.registers + piece.start // WORD
        if at >= SAVED:
            yield structs.replace(piece, place=StackSlot(named.stack + (at - SAVED) * WORD + piece.start))
        elif number < len(ARGUMENTS):
            yield structs.replace(piece, place=Register(ARGUMENTS[number]))


def from_counted(
    types: TypeTable, named: Named, values: Sequence[Travelling], params: Sequence[Passed]
) -> Iterator[Passed]:
    """Values where gcc looks, which counts what the named ones have of the stack by itself."""
    at = counted(types, named)
    for value, passed in zip(values, params, strict=True):
        places = {}
        for unit in units_of(types, value):
            if any(isinstance(one.place, StackSlot) and one.start == unit.start for one in passed.pieces):
                start = round_up(at, unit.alignment(types.reading))
                places[unit.start] = StackSlot(start)
                at = start + round_up(unit.size, WORD)
        pieces = (structs.replace(one, place=places.get(one.start, one.place)) for one in passed.pieces)
        yield structs.replace(passed, pieces=tuple(pieces))


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

"""Unnamed arguments of Xtensa where the `va_arg` of a compiler looks for them, which is not always where callers put them.

Sources: GCC, xtensa.cc, xtensa_function_arg_1, xtensa_va_start and xtensa_gimplify_va_arg_expr; Clang, XtensaABIInfo::EmitVAArg, and
LowerVASTART of LLVM's XtensaISelLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from abiprobe.oracles.abis.xtensa.data import QUADWORD, WORD
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.place import Passed, Piece, Register, StackSlot

ARGUMENTS = tuple(f"a{number}" for number in range(2, 8))


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
        base, at, shift = 0, counted(named), 0
    else:
        yield from params
        return
    for value, passed in zip(values, params, strict=True):
        first = passed.pieces[0].place if passed.pieces else None
        if isinstance(first, StackSlot):
            start = round_up(at, stack_alignment(value, value.align))
            at = start + round_up(value.size, WORD)
            yield structs.replace(passed, pieces=(structs.replace(passed.pieces[0], place=StackSlot(base + start)),))
        elif isinstance(first, Register) and shift:
            yield passed.with_pieces(later(passed.pieces, shift))
        else:
            yield passed


def stack_alignment(value: Travelling, most: int = QUADWORD) -> int:
    """The alignment of a value on the stack in bytes, of which a stack promises no more than 16."""
    return min(max(value.align, WORD), most)


def later(pieces: Sequence[Piece], shift: int) -> Iterator[Piece]:
    """Pieces so many registers later; what would be behind the last register is some memory."""
    for piece in pieces:
        assert isinstance(piece.place, Register), "a value is in registers as a whole"
        number = ARGUMENTS.index(piece.place.name) + shift
        if number < len(ARGUMENTS):
            yield structs.replace(piece, place=Register(ARGUMENTS[number]))


def counted(named: Named) -> int:
    """The bytes that gcc counts for named arguments on the stack: it aligns from the first register on, six words before them."""
    words = int(named.hidden)
    for value in named.values:
        words = round_up(words, stack_alignment(value) // WORD)
        size = -(-value.size // WORD)
        if words < len(ARGUMENTS) < words + size:
            words = len(ARGUMENTS)
        words += size
    return max(words - len(ARGUMENTS), 0) * WORD

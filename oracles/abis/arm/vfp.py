"""Arguments in VFP registers, with back-filling: the co-processor rules of the VFP variant (7.1.2)."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.arm.candidates import Candidate
from abiprobe.oracles.abis.arm.data import DOUBLE_WORD, QUAD, VECTOR_SIZE, WORD
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
STACK = cite("vfp.c2")
STACK_ALIGNED = cite("vfp.c2-align")
HALF = cite("b.2-half")

ARGUMENTS = 16
"""The single-precision registers that arguments may be in."""


class Bank:
    """The VFP registers that are left to arguments, by the numbers of single-precision ones."""

    def __init__(self) -> None:
        self._free = [True] * ARGUMENTS

    def find(self, candidate: Candidate) -> int | None:
        """The number of the first of the lowest registers for all elements; `None` if there are too few."""
        each = max(candidate.size // WORD, 1)
        wanted = each * candidate.count
        for first in range(0, ARGUMENTS - wanted + 1, each):
            if all(self._free[first : first + wanted]):
                self._free[first : first + wanted] = [False] * wanted
                return first
        return None

    def close(self) -> None:
        """Leave no register to what follows."""
        self._free = [False] * ARGUMENTS


@implements("vfp.c1", "vfp.c2", "vfp.c2-align", "b.2-half")
def pass_candidate(
    types: TypeTable, bank: Bank, cursor: Cursor, value: Travelling, candidate: Candidate, natural: int
) -> Passed:
    """A candidate in the lowest registers for it, or on the stack, after which no register is left."""
    # [aapcs32:vfp.c1]
    first = bank.find(candidate)
    if first is not None:
        pieces = in_registers(value, first, min(candidate.size, WORD), candidate.place_clause)
        return value.passed(Passing.DIRECT, candidate.clause, *pieces)
    # [aapcs32:vfp.c2]
    bank.close()
    if Argument.NAMED in types.policies.elements_on_stack:
        natural = max(natural, candidate.size)
    align = DOUBLE_WORD if natural >= DOUBLE_WORD else WORD
    # [aapcs32:vfp.c2-align]
    clause = STACK_ALIGNED if cursor.used % align else STACK
    # [aapcs32:b.2-half]
    size = round_up(value.size, WORD)
    ending = Extension.ANY if value.size < size else None
    piece = Piece(0, value.size, cursor.push(size, align), clause, ending, size, HALF if ending else "")
    return value.passed(Passing.DIRECT, clause, piece)


def pass_quads(types: TypeTable, bank: Bank, cursor: Cursor, value: Travelling) -> Passed:
    """A vector of more than 16 bytes, as clang has it: each 16 bytes are a vector of their own, and stands in registers or on the stack by itself."""
    quad, pieces = msgspec.structs.replace(value, size=QUAD), []
    for start in range(0, value.size, QUAD):
        part = pass_candidate(types, bank, cursor, quad, Candidate(1, QUAD, VECTOR_SIZE), DOUBLE_WORD)
        pieces += [
            msgspec.structs.replace(one, start=start + one.start, end=start + one.end) for one in part.pieces
        ]
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


def in_registers(value: Travelling, first: int, each: int, clause: str) -> tuple[Piece, ...]:
    """The single-precision registers from number `first` on, `each` bytes of the value in each: a word, or what has less."""
    pieces = []
    for number, start in enumerate(range(0, value.size, each), first):
        end = min(start + each, value.size)
        ending = Extension.ANY if end - start < WORD else None
        pieces.append(Piece(start, end, Register(f"s{number}"), clause, ending, WORD, HALF if ending else ""))
    return tuple(pieces)

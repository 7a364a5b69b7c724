"""The pieces of values in registers and on the stack (3.2.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.oracles.abis.powerpc.supplement32.classes import Class
from abiprobe.oracles.abis.powerpc.supplement32.data import DOUBLEWORD, WORD
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import DECIMAL, Kind, Pointer, Scalar
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Form, Passed, Passing, Piece, Place, Register, StackSlot

cite, implements = citing(__package__)
INTEGER = cite("pass.integer")
POINTER = cite("pass.pointer")
PAIR = cite("pass.pair")
ODD = cite("pass.odd")
FLOAT = cite("pass.float")
DECIMAL_REAL = cite("pass.decimal")

CLAUSES = {
    Class.SINGLE_GP: INTEGER,
    Class.DUAL_GP: PAIR,
    Class.QUAD_GP: cite("pass.quad"),
    Class.EIGHT_GP: cite("pass.eight"),
    Class.SINGLE_FP: FLOAT,
    Class.DOUBLE_FP: cite("pass.extended"),
    Class.DECIMAL_PAIR: cite("pass.decimal-pair"),
    Class.SINGLE_VR: cite("pass.vector"),
}


@implements("pass.pair", "pass.quad", "pass.eight", "pass.extended", "pass.vector", "pass.odd")
def in_registers(
    types: TypeTable, value: Travelling, case: Class, registers: Sequence[Register], *, moved: bool
) -> Passed:
    """A value in the registers of its case; `moved` says that one was left out before them."""
    clause = clause_of(value, case)
    # [ppc32:pass.odd]
    where = ODD if moved and case is Class.DUAL_GP else clause
    match case:
        case Class.SINGLE_GP:
            return value.passed(Passing.DIRECT, clause, in_word(types, value, registers[0], where))
        case Class.SINGLE_FP:
            return value.passed(Passing.DIRECT, clause, in_floating(value, registers[0], where))
        case _:
            # [ppc32:pass.pair] [ppc32:pass.quad] [ppc32:pass.eight] [ppc32:pass.extended] [ppc32:pass.vector]
            unit = case.unit
            pieces = (
                Piece(number * unit, (number + 1) * unit, register, where, None, unit)
                for number, register in enumerate(registers)
            )
            return value.passed(Passing.DIRECT, clause, *pieces)


def on_stack(types: TypeTable, value: Travelling, case: Class, slot: StackSlot, clause: str) -> Passed:
    """A value in memory, of which a word of the stack extends an integer as a register does."""
    if case is Class.SINGLE_GP:
        piece = in_word(types, value, slot, clause)
    else:
        piece = Piece(0, value.size, slot, clause, None, value.size)
    return value.passed(Passing.DIRECT, clause_of(value, case), piece)


@implements("pass.pointer", "pass.decimal")
def clause_of(value: Travelling, case: Class) -> str:
    """The clause of the algorithm that has a value of this case."""
    # [ppc32:pass.pointer]
    if isinstance(value.type, Pointer):
        return POINTER
    # [ppc32:pass.decimal]
    if case is Class.SINGLE_FP and isinstance(value.type, Scalar) and value.type.kind in DECIMAL:
        return DECIMAL_REAL
    return CLAUSES[case]


@implements("pass.integer")
def in_word(types: TypeTable, value: Travelling, place: Place, clause: str) -> Piece:
    """An integer or pointer in a register or word of the stack."""
    before = value.right_aligned(value.size, WORD)
    if not before:
        return Piece(0, value.size, place, clause, None, WORD)
    # [ppc32:pass.integer]
    above = Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
    return Piece(0, value.size, place, clause, above, WORD, INTEGER, at=before)


@implements("pass.float", "pass.decimal")
def in_floating(value: Travelling, place: Register, clause: str) -> Piece:
    """A real in one floating-point register."""
    # [ppc32:pass.float]
    if value.type == Scalar(Kind.FLOAT):
        return Piece(0, value.size, place, clause, None, DOUBLEWORD, form=Form.DOUBLE, order=value.order)
    # [ppc32:pass.decimal]
    before = value.right_aligned(value.size, DOUBLEWORD)
    above = Extension.ANY if before else None
    return Piece(0, value.size, place, clause, above, DOUBLEWORD, clause if before else "", at=before)

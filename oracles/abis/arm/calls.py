"""Calls of AAPCS32: parameter passing and result return, in the base standard (6.4, 6.5) and the VFP variant (7.1)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.arm.candidates import candidate
from abiprobe.oracles.abis.arm.core import is_composite, pass_in_core
from abiprobe.oracles.abis.arm.data import CONTAINERIZED, DOUBLE_WORD, HALVES, VECTOR_SIZE, WORD
from abiprobe.oracles.abis.arm.vfp import Bank, pass_candidate
from abiprobe.oracles.engine.bit_field_types import declared_alignment
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Record, Scalar, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Hidden, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
NOTHING = cite("pass.nothing")
NOTHING_ALIGNED = cite("pass.nothing-aligned")
OF_PADDING = cite("pass.composite-of-padding")
RESULT_HALF = cite("result.half")
RESULT_SMALL = cite("result.small")
RESULT_WORD = cite("result.word")
RESULT_COMPOSITE = cite("result.composite")
RESULT_MEMORY = cite("result.memory")
RESULT_VFP = cite("result.vfp")

CORE = ("r0", "r1", "r2", "r3")


def base_calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a call by the base standard."""
    return calls(types, prototype, None)


@implements("pass.variadic")
def vfp_calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a call by the VFP variant, in which variadic functions follow the base standard."""
    # [aapcs32:pass.variadic]
    return calls(types, prototype, None if prototype.variadic else Bank())


@implements("a.1", "a.4")
def calls(types: TypeTable, prototype: Prototype, bank: Bank | None) -> Assignment:
    """The places of a call, with VFP registers if there is a bank of them."""
    # [aapcs32:a.1]
    cursor = Cursor(core=CORE)
    result, hidden = assign_result(types, prototype.result, vfp=bank is not None)
    # [aapcs32:a.4]
    if hidden:
        cursor.take("core")
    params = tuple(
        pass_argument(types, cursor, bank, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, cursor.used)


def pass_argument(types: TypeTable, cursor: Cursor, bank: Bank | None, value: Travelling) -> Passed:
    """One argument: in VFP registers if it is a candidate and there are any, else in core registers."""
    natural = natural_alignment(types, value.type)
    if not value.size:
        return pass_nothing(value, natural)
    check(types, value)
    found = None if bank is None else candidate(types, value)
    if bank is not None and found is not None:
        return pass_candidate(types, bank, cursor, value, found, natural)
    return pass_in_core(types, cursor, value, natural)


@implements("pass.nothing", "pass.nothing-aligned")
def pass_nothing(value: Travelling, natural: int) -> Passed:
    """A value of size zero."""
    # [aapcs32:pass.nothing-aligned]
    if natural >= DOUBLE_WORD:
        raise SilentError(
            NOTHING_ALIGNED, f"{value.name or 'the result'} has no size and is aligned to {natural}"
        )
    # [aapcs32:pass.nothing]
    return value.passed(Passing.IGNORED, NOTHING)


@implements("pass.composite-of-padding")
def check(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a value that the text does not know: a record of padding, a vector of another size."""
    if not types.carries(value.declared):
        raise SilentError(OF_PADDING, f"{value.name or 'the result'} has a size but no named member")
    if isinstance(value.type, Vector) and value.size not in CONTAINERIZED:
        raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")


@implements("type.natural-alignment", "type.packed")
def natural_alignment(types: TypeTable, c_type: Type) -> int:
    """The alignment in bytes of a fundamental type, or the greatest of a composite's members."""
    # [aapcs32:type.natural-alignment] [aapcs32:type.packed]
    if not isinstance(c_type, Record):
        return types.extent(c_type).align
    return max(types.shape(c_type).natural, declared_alignment(types, c_type))


@implements("result.memory", "result.vfp")
def assign_result(
    types: TypeTable, result: Type | None, *, vfp: bool
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if not value.size:
        return pass_nothing(value, natural_alignment(types, value.type)), ()
    check(types, value)
    # [aapcs32:result.vfp]
    found = candidate(types, value) if vfp else None
    if found is not None:
        passed = pass_candidate(types, Bank(), Cursor(core=CORE), value, found, value.align)
        if found.size < WORD:
            passed = last_alone(passed)
        return structs.replace(passed, clause=RESULT_VFP), ()
    # [aapcs32:result.memory]
    if is_composite(value.type) and value.size > WORD:
        address = Piece(0, WORD, Register(CORE[0]), RESULT_MEMORY, None, WORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (address,)),)
    passed = pass_in_core(types, Cursor(core=CORE), value, WORD)
    clause = result_clause(value)
    pieces = tuple(structs.replace(piece, clause=clause) for piece in passed.pieces)
    return structs.replace(passed, clause=clause, pieces=pieces), ()


def last_alone(passed: Passed) -> Passed:
    """The last element of a result of half-precision reals in the register that is the first one's; the others are lost."""
    first, last = passed.pieces[0], passed.pieces[-1]
    mask = bytes(last.start) + passed.mask[last.start :]
    return structs.replace(passed, pieces=(structs.replace(last, place=first.place),), mask=mask)


@implements("result.half", "result.small", "result.word", "result.composite")
def result_clause(value: Travelling) -> str:
    """The clause on a result in core registers."""
    # [aapcs32:result.composite]
    if is_composite(value.type):
        return RESULT_COMPOSITE
    # [aapcs32:result.half]
    if isinstance(value.type, Scalar) and value.type.kind in HALVES:
        return RESULT_HALF
    # [aapcs32:result.small] [aapcs32:result.word]
    return RESULT_SMALL if value.size < WORD else RESULT_WORD

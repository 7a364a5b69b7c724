"""Calls of AAPCS32: parameter passing and result return, in the base standard (6.4, 6.5) and the VFP variant (7.1)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.arm.candidates import candidate
from abiprobe.oracles.abis.arm.core import align_for, is_composite, pass_in_core
from abiprobe.oracles.abis.arm.data import CONTAINERIZED, DOUBLE_WORD, HALVES, QUAD, VECTOR_SIZE, WORD
from abiprobe.oracles.abis.arm.vfp import Bank, pass_candidate, pass_quads
from abiprobe.oracles.engine.bit_field_types import declared_alignment
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import is_empty
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Record, Scalar, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
NOTHING = cite("pass.nothing")
NOTHING_ALIGNED = cite("pass.nothing-aligned")
OF_PADDING = cite("pass.composite-of-padding")
RESULT_HALF = cite("result.half")
RESULT_SMALL = cite("result.small")
RESULT_WORD = cite("result.word")
RESULT_COMPOSITE = cite("result.composite")
RESULT_MEMORY = cite("result.memory")
RESULT_ALIGNMENT = cite("result.memory-alignment")
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
        return pass_nothing(types, cursor, value, natural)
    check(types, value)
    if types.reading is Reading.CLANG and is_empty(value.type):
        return value.passed(Passing.IGNORED, OF_PADDING)
    found = None if bank is None else candidate(types, value)
    if bank is not None and found is not None:
        return pass_candidate(types, bank, cursor, value, found, natural)
    if bank is not None and is_in_quads(types, value):
        return pass_quads(types, bank, cursor, value)
    return pass_in_core(types, cursor, value, natural)


@implements("pass.nothing", "pass.nothing-aligned")
def pass_nothing(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A value of size zero."""
    # [aapcs32:pass.nothing-aligned]
    if natural >= DOUBLE_WORD and types.reading is None:
        raise SilentError(
            NOTHING_ALIGNED, f"{value.name or 'the result'} has no size and is aligned to {natural}"
        )
    if natural >= DOUBLE_WORD and is_aligned_to(types, value):
        align_for(cursor, DOUBLE_WORD)
    # [aapcs32:pass.nothing]
    return value.passed(Passing.IGNORED, NOTHING)


def is_aligned_to(types: TypeTable, value: Travelling) -> bool:
    """Return whether what follows a value of no bytes is where it would be behind one with bytes: gcc rounds up for a named one."""
    named = Argument.of(named=not value.is_unnamed)
    by_rule = types.reading is Reading.GCC and named is Argument.NAMED
    return by_rule or named in types.policies.aligned_nothing


@implements("pass.composite-of-padding")
def check(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a value that the text does not know: a record of padding, a vector of another size."""
    if types.reading is not None:
        return
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
        return pass_nothing(types, Cursor(core=CORE), value, natural_alignment(types, value.type)), ()
    check(types, value)
    if types.reading is Reading.CLANG and is_empty(value.type):
        return value.passed(Passing.IGNORED, OF_PADDING), ()
    # [aapcs32:result.vfp]
    found = candidate(types, value) if vfp else None
    if found is not None:
        passed = pass_candidate(types, Bank(), Cursor(core=CORE), value, found, value.align)
        if found.size < WORD:
            passed = last_alone(passed)
        return structs.replace(passed, clause=RESULT_VFP), ()
    if types.reading is Reading.CLANG and isinstance(value.type, Vector) and value.size <= WORD:
        return in_wide_lanes(types, value, value.type, vfp=vfp), ()
    # [aapcs32:result.memory]
    if is_composite(value.type) and value.size > WORD:
        return in_memory(types, value, RESULT_MEMORY)
    if is_long_vector(value):
        return in_memory(types, value, VECTOR_SIZE)
    passed = pass_in_core(types, Cursor(core=CORE), value, WORD)
    clause = result_clause(value)
    pieces = tuple(structs.replace(piece, clause=clause) for piece in passed.pieces)
    return structs.replace(passed, clause=clause, pieces=pieces), ()


@implements("result.memory-alignment")
def in_memory(types: TypeTable, value: Travelling, clause: str) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result in memory that is aligned as its type, and the argument with its address."""
    address = Piece(0, WORD, Register(CORE[0]), clause, None, WORD)
    own = types.extent(value.type).align
    aligned = min(own, types.policies.most_aligned_copy or own)
    # [aapcs32:result.memory-alignment]
    passed = structs.replace(
        value.passed(Passing.INDIRECT, clause), memory_align=aligned, memory_clause=RESULT_ALIGNMENT
    )
    return passed, (Hidden("result pointer", (address,)),)


def is_long_vector(value: Travelling) -> bool:
    """Return whether this is a vector of more than 16 bytes, of which the text has none."""
    return isinstance(value.type, Vector) and value.size > QUAD


def is_in_quads(types: TypeTable, value: Travelling) -> bool:
    """Return whether clang has a value in VFP registers piece by piece: a vector of more than 16 bytes."""
    return types.reading is Reading.CLANG and is_long_vector(value)


def in_wide_lanes(types: TypeTable, value: Travelling, vector: Vector, *, vfp: bool) -> Passed:
    """A result that is a vector of at most 4 bytes, as clang has it: its elements share 8 bytes, a lone one is in r0."""
    size = types.data.kind(vector.kind).size
    count = value.size // size
    lane = DOUBLE_WORD // count if count > 1 else WORD
    first, second = ("s0", "s1") if vfp and count > 1 else CORE[:2]
    pieces = (
        Piece(
            number * size,
            number * size + size,
            Register(first if number * lane < WORD else second),
            VECTOR_SIZE,
            Extension.ANY if size < WORD else None,
            WORD,
            VECTOR_SIZE,
            at=number * lane % WORD,
        )
        for number in range(count)
    )
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


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

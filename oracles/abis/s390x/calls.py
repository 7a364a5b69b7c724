"""Parameter passing and return values (1.2.3 to 1.2.5)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.s390x.data import MOST_ALIGNED
from abiprobe.oracles.abis.s390x.equivalent import EQUIVALENT, LONGEST_VECTOR, core, is_real, is_short_vector
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.policies import CallHabit
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Enum,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Place, Register

cite, implements = citing(__package__)
REAL = cite("pass.real")
VECTOR = cite("pass.vector")
EXTENDED = cite("pass.integer")
POINTER = cite("pass.pointer")
RECORD = cite("pass.record")
REFERENCE = cite("pass.reference")
COPY = cite("pass.copy")
STACK = cite("pass.more")
VECTOR_STACK = cite("pass.more-vector")
UNUSED = cite("pass.unused")
RESULT_REAL = cite("result.real")
RESULT_INTEGER = cite("result.integer")
RESULT_POINTER = cite("result.pointer")
RESULT_VECTOR = cite("result.vector")
RESULT_MEMORY = cite("result.memory")

WORD = 8
SAVE_AREA = 160
"""Bytes from the stack pointer on before the parameter area: back chain slot and register save area."""
GENERAL = ("r2", "r3", "r4", "r5", "r6")
REALS = ("f0", "f2", "f4", "f6")
VECTORS = tuple(f"v{number}" for number in (24, 26, 28, 30, 25, 27, 29, 31))
SMALL_RECORDS = (1, 2, 4, 8)


@implements("pass.initialize", "pass.variadic", "pass.area", "result.buffer")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    # [lzsabi:pass.initialize]
    cursor = initial()
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        # [lzsabi:result.buffer]
        cursor.take("general")
    params = []
    named = len(prototype.params)
    for number, argument in enumerate(prototype.arguments):
        value = Travelling.of(types, argument.name, argument.type)
        # [lzsabi:pass.variadic]
        params.append(pass_argument(types, cursor, value, varying=number >= named))
    # [lzsabi:pass.area]
    return Assignment(tuple(params), result, hidden, cursor.used)


def initial() -> Cursor:
    """All registers, and the parameter area above the register save area."""
    cursor = Cursor(general=GENERAL, real=REALS, vector=VECTORS)
    cursor.push(SAVE_AREA, WORD)
    return cursor


def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling, *, varying: bool) -> Passed:
    """One argument by its type: a real, a vector, or what travels in general registers."""
    kind = core(types, value.declared)
    passed: Passed
    if is_real(kind):
        passed = pass_real(types, cursor, value)
    elif is_short_vector(types, kind):
        passed = pass_vector(cursor, value, varying=varying)
    else:
        return pass_simple(types, cursor, value)
    return structs.replace(passed, clause=EQUIVALENT) if isinstance(value.type, Record) else passed


@implements("pass.real", "pass.more")
def pass_real(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A real, left-aligned in a floating-point register, or right-aligned in a slot."""
    if cursor.left("real"):
        register = cursor.take("real")
        if CallHabit.RIGHT_ALIGNED_REALS in types.policies.calls and types.is_addressable(value.type):
            return value.passed(Passing.DIRECT, REAL, right_aligned(value, register, REAL))
        # [lzsabi:pass.real]
        return value.passed(Passing.DIRECT, REAL, left_aligned(value, register, WORD, REAL))
    # [lzsabi:pass.more]
    return value.passed(Passing.DIRECT, STACK, right_aligned(value, cursor.push(WORD, WORD), STACK))


@implements("pass.vector", "pass.more-vector")
def pass_vector(cursor: Cursor, value: Travelling, *, varying: bool) -> Passed:
    """A vector of at most 16 bytes, left-aligned in a vector register if it is named, or from the start of a slot on."""
    if cursor.left("vector") and not varying:
        # [lzsabi:pass.vector]
        piece = left_aligned(value, cursor.take("vector"), LONGEST_VECTOR, VECTOR)
        return value.passed(Passing.DIRECT, VECTOR, piece)
    # [lzsabi:pass.more-vector]
    size = round_up(value.size, WORD)
    piece = left_aligned(value, cursor.push(size, WORD), size, VECTOR_STACK)
    return value.passed(Passing.DIRECT, VECTOR_STACK, piece)


@implements("pass.integer", "pass.pointer", "pass.record")
def pass_simple(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """Pass a value in a general register: an integer, a pointer, a small record, or the address of anything else."""
    if not by_value(types, value):
        return pass_by_reference(types, cursor, value)
    free = bool(cursor.left("general"))
    place: Place = cursor.take("general") if free else cursor.push(WORD, WORD)
    if isinstance(value.type, Record):
        # [lzsabi:pass.record]
        clause, extension, extending = RECORD, above(value.size), UNUSED
    elif isinstance(value.type, Pointer):
        # [lzsabi:pass.pointer]
        clause, extension, extending = POINTER, None, ""
    else:
        # [lzsabi:pass.integer]
        clause, extension, extending = EXTENDED, extended(types, value), EXTENDED
    clause = clause if free else STACK
    piece = right_aligned(value, place, clause, extension, extending)
    return value.passed(Passing.DIRECT, clause, piece)


def by_value(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value that is no real and no vector travels in a general register itself, not by its address."""
    match value.type:
        case Record() if types.policies.opaque_flexible_arrays and has_flexible_array(value.type):
            return False
        case Record():
            return value.size in SMALL_RECORDS and not types.is_opaque(value.declared)
        case Scalar(kind):
            return kind.is_integer and value.size <= WORD
        case Enum() | Pointer():
            return True
        case BitInt(width):
            return width <= WORD * 8
        case _:
            return False


@implements("pass.reference", "pass.copy")
def pass_by_reference(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A pointer to the object or a copy, passed as a pointer is."""
    # [lzsabi:pass.reference]
    place: Place = cursor.take("general") if cursor.left("general") else cursor.push(WORD, WORD)
    passed = value.passed(Passing.INDIRECT, REFERENCE, Piece(0, WORD, place, REFERENCE, None, WORD))
    natural = types.shape(value.type).natural if isinstance(value.type, Record) else value.align
    # [lzsabi:pass.copy]
    return structs.replace(passed, memory_align=min(natural, MOST_ALIGNED), memory_clause=COPY)


def extended(types: TypeTable, value: Travelling) -> Extension | None:
    """Return the extension of an integer to 64 bits."""
    if value.size >= WORD:
        return None
    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO


@implements("pass.unused")
def above(size: int, width: int = WORD) -> Extension | None:
    """Return the extension beside a value of `size` bytes that nobody extends."""
    return Extension.ANY if size < width else None


def left_aligned(value: Travelling, place: Place, width: int, clause: str) -> Piece:
    """A whole value at the beginning of a place of `width` bytes."""
    return Piece(0, value.size, place, clause, above(value.size, width), width, UNUSED)


def right_aligned(
    value: Travelling,
    place: Place,
    clause: str,
    extension: Extension | None = Extension.ANY,
    extending: str = UNUSED,
) -> Piece:
    """A whole value at the end of a place of 8 bytes."""
    before = value.right_aligned(value.size, WORD)
    return Piece(0, value.size, place, clause, extension if before else None, WORD, extending, at=before)


@implements("result.real", "result.integer", "result.pointer", "result.vector", "result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    match value.type:
        case Scalar() if is_real(value.type):
            # [lzsabi:result.real]
            piece = left_aligned(value, Register("f0"), WORD, RESULT_REAL)
        case Vector() if is_short_vector(types, value.type):
            # [lzsabi:result.vector]
            piece = left_aligned(value, Register("v24"), LONGEST_VECTOR, RESULT_VECTOR)
        case Pointer():
            # [lzsabi:result.pointer]
            piece = right_aligned(value, Register("r2"), RESULT_POINTER)
        case Scalar() | Enum() | BitInt() if by_value(types, value):
            # [lzsabi:result.integer]
            piece = right_aligned(
                value, Register("r2"), RESULT_INTEGER, extended(types, value), RESULT_INTEGER
            )
        case _:
            # [lzsabi:result.memory]
            address = Piece(0, WORD, Register("r2"), RESULT_MEMORY, None, WORD)
            return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (address,)),)
    return value.passed(Passing.DIRECT, piece.clause, piece), ()

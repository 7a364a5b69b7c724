"""The places of a call by Microsoft's x64 convention, with the types of System V."""

from __future__ import annotations

from enum import Enum as PyEnum

from msgspec import structs

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import DECIMAL, Complex, Prototype, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
)

cite, implements = citing(__package__)
TYPES = cite("types")
INTEGER = cite("pass.integer")
UPPER_BITS = cite("pass.upper-bits")
FLOAT = cite("pass.float")
AGGREGATE = cite("pass.aggregate")
REFERENCE = cite("pass.reference")
STACK = cite("pass.stack")
VARARGS = cite("pass.varargs")
OTHER = cite("pass.other")
RESULT_SCALAR = cite("result.scalar")
RESULT_XMM = cite("result.xmm")
RESULT_AGGREGATE = cite("result.aggregate")
RESULT_MEMORY = cite("result.memory")
RESULT_EMPTY = cite("result.empty")
UNUSED_BITS = cite("result.unused-bits")

INTEGERS = ("rcx", "rdx", "r8", "r9")
FLOATS = ("xmm0", "xmm1", "xmm2", "xmm3")
SHADOW = 32
"""Bytes of the shadow store, in which the callee may keep what came in registers."""
FIRST_STACK_ARGUMENT = 8 + SHADOW
"""Byte offset from rsp at callee entry of the fifth argument: above the return address and the shadow store."""
WORD = 8
SIZES = (1, 2, 4, 8)
REFERENCED_ALIGN = 16
"""Bytes to which the memory of an aggregate or `__m128` is aligned."""
XMM_BYTES = 16


class Kind(PyEnum):
    """The kind of a value in the convention."""

    INTEGER = "an integer, enumeration or pointer"
    FLOAT = "a floating-point number"
    AGGREGATE = "a struct, a union or `__m64`: passed as an integer"
    REFERENCE = "what is not of 1, 2, 4 or 8 bytes"


@implements("pass.integer", "pass.float", "pass.aggregate", "pass.reference", "pass.other")
def kind(value: Travelling) -> Kind:
    """Return the kind of an argument; Microsoft's compiler has no decimal types."""
    if isinstance(value.type, Scalar) and value.type.kind in DECIMAL:
        raise SilentError(OTHER, f"a value of type {value.type.kind.value}")
    if value.size not in SIZES:
        # [ms:pass.reference]
        return Kind.REFERENCE
    match value.type:
        # [ms:pass.aggregate]
        case Record() | Vector(size=8):
            return Kind.AGGREGATE
        case Complex() | Vector():
            raise SilentError(OTHER, f"a value of type {value.passed(Passing.IGNORED, OTHER).type}")
        # [ms:pass.float]
        case Scalar(scalar) if scalar.is_floating:
            return Kind.FLOAT
        # [ms:pass.integer]
        case _:
            return Kind.INTEGER


@implements("pass.position", "pass.shadow")
def assign(types: TypeTable, prototype: Prototype, aligned: str = TYPES) -> Assignment:
    """The places of a call; a position is that of an argument with the hidden pointer counted.

    `aligned` is the clause by which memory that is passed has an alignment of more than 16 bytes if its type has; empty
    where no text says so.
    """
    result, hidden = assign_result(types, prototype.result)
    named = len(prototype.params)
    # [ms:pass.position]
    params = tuple(
        pass_argument(
            Travelling.of(types, argument.name, argument.type),
            len(hidden) + index,
            unnamed=index >= named,
            aligned=aligned,
        )
        for index, argument in enumerate(prototype.arguments)
    )
    on_stack = max(0, len(hidden) + len(params) - len(INTEGERS))
    # [ms:pass.shadow]
    return Assignment(params, result, hidden, FIRST_STACK_ARGUMENT - WORD + on_stack * WORD)


@implements("pass.stack")
def place(position: int, registers: tuple[str, ...]) -> Place:
    """The place of an argument by its position."""
    if position < len(registers):
        return Register(registers[position])
    return StackSlot(FIRST_STACK_ARGUMENT + (position - len(registers)) * WORD)


@implements("pass.varargs")
def pass_argument(value: Travelling, position: int, *, unnamed: bool, aligned: str) -> Passed:
    """An argument in the place of its position."""
    in_register = position < len(INTEGERS)
    match kind(value):
        case Kind.REFERENCE:
            piece = Piece(0, WORD, place(position, INTEGERS), REFERENCE, None, WORD)
            return referenced(value.passed(Passing.INDIRECT, REFERENCE, piece), value, aligned)
        case Kind.FLOAT if in_register:
            piece = Piece(0, value.size, place(position, FLOATS), FLOAT, Extension.ANY, XMM_BYTES, UPPER_BITS)
            copy = word(value, place(position, INTEGERS), VARARGS)
            return value.passed(Passing.DIRECT, FLOAT, piece, *((copy,) if unnamed else ()))
        case Kind.INTEGER | Kind.FLOAT:
            clause = INTEGER if in_register else STACK
        case Kind.AGGREGATE:
            clause = AGGREGATE if in_register else STACK
    return value.passed(Passing.DIRECT, clause, word(value, place(position, INTEGERS), clause))


@implements("pass.reference", "types")
def referenced(passed: Passed, value: Travelling, aligned: str) -> Passed:
    """Pass a value by reference: aggregates and vectors lie in memory aligned to 16 bytes, or as their type asks."""
    if not isinstance(value.type, (Record, Vector)):
        return passed
    # [ms:types]
    if aligned and value.align > REFERENCED_ALIGN:
        return structs.replace(passed, memory_align=value.align, memory_clause=aligned)
    return structs.replace(passed, memory_align=REFERENCED_ALIGN, memory_clause=REFERENCE)


@implements("pass.upper-bits")
def word(value: Travelling, where: Place, clause: str) -> Piece:
    """A value in a word, above which nothing is said."""
    above = Extension.ANY if value.size < WORD else None
    return Piece(0, value.size, where, clause, above, WORD, UPPER_BITS)


@implements(
    "result.empty", "result.scalar", "result.xmm", "result.aggregate", "result.memory", "result.unused-bits"
)
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, and the pointer to one in memory, which is the first argument."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    match value.type:
        case Record() if not value.size and types.reading is None:
            raise SilentError(RESULT_EMPTY, f"{spelling(result)} has no bytes")
        case Record() if not value.size and types.reading is Reading.GCC:
            return value.passed(Passing.IGNORED, RESULT_EMPTY), ()
        case Record() if value.size not in SIZES:
            address = Piece(0, WORD, Register("rax"), RESULT_MEMORY, None, WORD)
            hidden = Piece(0, WORD, Register(INTEGERS[0]), RESULT_MEMORY, None, WORD)
            return value.passed(Passing.INDIRECT, RESULT_MEMORY, address), (
                Hidden("result pointer", (hidden,)),
            )
        case Record():
            return in_register(value, "rax", WORD, RESULT_AGGREGATE), ()
        case Vector(size=16):
            return in_register(value, "xmm0", XMM_BYTES, RESULT_XMM), ()
        case _ if value.size not in SIZES:
            raise SilentError(OTHER, f"a result of {value.size} bytes")
        case Scalar(scalar) if scalar.is_floating and scalar not in DECIMAL:
            return in_register(value, "xmm0", XMM_BYTES, RESULT_XMM), ()
        case _ if kind(value) in {Kind.INTEGER, Kind.AGGREGATE}:
            # [ms:result.unused-bits]
            return in_register(value, "rax", WORD, RESULT_SCALAR), ()
        case _:
            raise SilentError(OTHER, f"a result of {value.size} bytes")


def in_register(value: Travelling, name: str, width: int, clause: str) -> Passed:
    """A result in one register, whose unused bits are undefined."""
    above = Extension.ANY if value.size < width else None
    return value.passed(
        Passing.DIRECT, clause, Piece(0, value.size, Register(name), clause, above, width, UNUSED_BITS)
    )

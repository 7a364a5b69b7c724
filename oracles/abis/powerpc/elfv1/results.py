"""Return values (3.2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, FLOATING, GENERAL, QUADWORD
from abiprobe.oracles.abis.powerpc.elfv1.data import BIT_INT, OTHER_REAL, OTHER_REALS, OTHER_VECTOR
from abiprobe.oracles.abis.powerpc.elfv1.in_register import above, real, right_aligned
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Pointer, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import RESULT_POINTER, Extension, Hidden, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
REAL = cite("result.real")
EXTENDED = cite("result.extended")
COMPLEX = cite("result.complex")
COMPLEX_INTEGER = cite("result.complex-integer")
VECTOR = cite("result.vector")
INTEGER = cite("result.integer")
INT128 = cite("result.int128")
POINTER = cite("result.pointer")
MEMORY = cite("result.memory")
FIRST = Register("r3")


@implements("result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    wide = isinstance(value.type, Vector) and value.size > QUADWORD and types.reading is not None
    if isinstance(value.type, Record) or wide:
        address = Piece(0, DOUBLEWORD, FIRST, MEMORY, None, DOUBLEWORD)
        return value.passed(Passing.INDIRECT, MEMORY), (Hidden(RESULT_POINTER, (address,)),)
    clause, pieces = in_registers(types, value)
    return value.passed(Passing.DIRECT, clause, *pieces), ()


@implements(
    "result.real",
    "result.extended",
    "result.complex",
    "result.complex-integer",
    "result.vector",
    "result.pointer",
)
def in_registers(types: TypeTable, value: Travelling) -> tuple[str, tuple[Piece, ...]]:
    """The registers of a result that is no aggregate, and the clause for its type."""
    match value.type:
        case BitInt(width) if types.reading is None:
            raise SilentError(BIT_INT, f"_BitInt({width})")
        case Scalar(kind) if kind in OTHER_REALS:
            raise SilentError(OTHER_REAL, kind.value)
        # [elfv1:result.real] [elfv1:result.extended]
        case Scalar(kind) if kind.is_floating:
            clause = EXTENDED if value.size > DOUBLEWORD else REAL
            return clause, reals(value.size, min(value.size, DOUBLEWORD), clause)
        # [elfv1:result.complex-integer]
        case Complex() as number if number.is_integer:
            if types.reading is None:
                raise SilentError(COMPLEX_INTEGER, spelling(number))
            return COMPLEX_INTEGER, tuple(integer_parts(value.size))
        # [elfv1:result.complex]
        case Complex():
            return COMPLEX, reals(value.size, min(value.size // 2, DOUBLEWORD), COMPLEX)
        case Vector() if value.size != QUADWORD and types.reading is None:
            raise SilentError(OTHER_VECTOR, f"a vector of {value.size} bytes")
        # [elfv1:result.vector]
        case Vector() if value.size == QUADWORD:
            return VECTOR, (Piece(0, QUADWORD, Register("v2"), VECTOR, None, QUADWORD),)
        case Vector():
            return OTHER_VECTOR, (short_vector(value.size),)
        # [elfv1:result.pointer]
        case Pointer():
            return POINTER, (Piece(0, DOUBLEWORD, FIRST, POINTER, None, DOUBLEWORD),)
        case _ if value.size > DOUBLEWORD and types.reading is not None:
            return INT128, tuple(integer_parts(value.size))
        case _:
            return INTEGER, (integer(types, value),)


def short_vector(size: int) -> Piece:
    """A vector of less than a quadword, as compilers return it: as an integer that nobody extends."""
    rest = Extension.ANY if size < DOUBLEWORD else None
    why = OTHER_VECTOR if rest else ""
    return Piece(0, size, FIRST, OTHER_VECTOR, rest, DOUBLEWORD, why, at=right_aligned(size))


def integer_parts(size: int) -> Iterator[Piece]:
    """The two halves of a value from r3 on, those of a complex integer at the right end of their doublewords."""
    half = size // 2
    rest = Extension.ANY if half < DOUBLEWORD else None
    for number, name in enumerate(GENERAL[:2]):
        place, at = Register(name), right_aligned(half)
        start, why = number * half, COMPLEX_INTEGER if rest else ""
        yield Piece(start, start + half, place, COMPLEX_INTEGER, rest, DOUBLEWORD, why, at=at)


def reals(size: int, unit: int, clause: str) -> tuple[Piece, ...]:
    """`size` bytes of reals from f1 on, `unit` bytes in each register."""
    starts = range(0, size, unit)
    return tuple(
        real(Register(name), start, start + unit, clause)
        for name, start in zip(FLOATING, starts, strict=False)
    )


@implements("result.integer", "result.int128")
def integer(types: TypeTable, value: Travelling) -> Piece:
    """An integer or enumeration in r3."""
    # [elfv1:result.int128]
    if value.size > DOUBLEWORD:
        raise SilentError(INT128, spelling(value.declared))
    # [elfv1:result.integer]
    before = right_aligned(value.size)
    extension, why = above(types, value.type, INTEGER) if before else (None, "")
    return Piece(0, value.size, FIRST, INTEGER, extension, DOUBLEWORD, why, at=before)

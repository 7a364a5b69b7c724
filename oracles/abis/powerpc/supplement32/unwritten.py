"""Values of types that the text does not have, as compilers pass them: other vectors, complex integers and `_BitInt`.

Sources: GCC, rs6000-call.cc, rs6000_pass_by_reference and rs6000_function_arg; Clang, PPC.cpp, PPC32_SVR4_ABIInfo, and what LLVM makes
of a vector that no register holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from abiprobe.oracles.abis.powerpc.supplement32.classes import COMPLEX, Class
from abiprobe.oracles.abis.powerpc.supplement32.data import (
    BIT_INT,
    DOUBLEWORD,
    OTHER_VECTOR,
    QUADWORD,
    WORD,
    is_written,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import COMPLEX_INTEGER, FIXED_POINT, TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, FixedPoint, Scalar, Type, Vector, strip
from abiprobe.oracles.text.place import Extension, Piece, Place


def own_type(value: Travelling) -> Type:
    """The type of a value, a complex integer as that, which the families usually take for a record of two."""
    declared = strip(value.declared)
    return declared if isinstance(declared, Complex) else value.type


def clause_of(value: Travelling) -> str:
    """The clause that leaves a type open."""
    match own_type(value):
        case Vector():
            return OTHER_VECTOR
        case BitInt():
            return BIT_INT
        case FixedPoint():
            return FIXED_POINT
        case _:
            return COMPLEX_INTEGER


def is_unwritten(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler is asked of a value of a type that the text does not have; a complex integer of clang's is a record."""
    match own_type(value):
        case Vector(kind, size):
            return types.reading is not None and not is_written(size, types.data.kind(kind).size)
        case BitInt():
            return types.reading is not None
        case Complex(kind):
            return types.reading is Reading.GCC and kind.is_integer
        case _:
            return False


def is_by_reference(types: TypeTable, value: Travelling) -> bool:
    """Return whether the address of a value is passed: of a vector of more than a register by gcc, of a wide `_BitInt` by clang."""
    if isinstance(own_type(value), BitInt):
        return value.size > DOUBLEWORD
    return types.reading is Reading.GCC and value.size > QUADWORD


def case_of(value: Travelling) -> Class | None:
    """The case of a value that is one for gcc by its size, or none for a vector of doublewords."""
    if value.size <= WORD:
        return Class.SINGLE_GP
    if isinstance(value.type, Vector) and value.size == QUADWORD:
        return None
    return COMPLEX[value.size]


def parts(types: TypeTable, value: Travelling) -> Iterator[tuple[int, Travelling]]:
    """The parts of a vector that LLVM passes apart, each with its first byte: vectors of up to a register, or elements."""
    assert isinstance(value.type, Vector), "what is no vector is in one part"
    element = types.extent(Scalar(value.type.kind)).size
    single = value.size == element or element >= DOUBLEWORD
    size = element if single else min(value.size, QUADWORD)
    part = Scalar(value.type.kind) if single else Vector(value.type.kind, size)
    for start in range(0, value.size, size):
        yield start, structs.replace(value, type=part, size=size, mask=value.mask[start : start + size])


def in_vector(value: Travelling, place: Place, clause: str) -> Piece:
    """A vector at the beginning of a vector register, or of as much of the stack."""
    rest = Extension.ANY if value.size < QUADWORD else None
    return Piece(0, value.size, place, clause, rest, QUADWORD, clause if rest else "")


def shifted(piece: Piece, start: int) -> Piece:
    """A piece of a part as a piece of the whole."""
    return structs.replace(piece, start=piece.start + start, end=piece.end + start)

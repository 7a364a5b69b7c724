"""Types that the text does not have, as compilers place them: complex numbers, vectors and _BitInt.

Sources: GCC, sparc.cc, sparc_pass_by_reference, sparc_return_in_memory and sparc_function_value_1; Clang, Sparc.cpp, SparcV8ABIInfo, and
what LLVM makes of a vector that no register holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from abiprobe.oracles.abis.sparc.v8.data import BIT_INT, DOUBLEWORD, VECTOR, WORD
from abiprobe.oracles.abis.sparc.v8.parameter_array import OUTS, in_word, in_words
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import FIXED_POINT, TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    FixedPoint,
    Kind,
    Scalar,
    Type,
    Vector,
    spelling,
    strip,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece, Register

cite, implements = citing(__package__)
COMPLEX = cite("pass.complex")
REALS_RETURNED = {Kind.FLOAT: 4, Kind.DOUBLE: 2}
"""The elements of a vector of reals for which LLVM has registers as a result."""


def own_type(value: Travelling) -> Type:
    """The type of a value, a complex integer as that, which the families usually take for a record of two."""
    declared = strip(value.declared)
    return declared if isinstance(declared, Complex) else value.type


@implements("pass.complex", "type.vector", "type.bit-int")
def unwritten(types: TypeTable, value: Travelling) -> str:
    """The clause that leaves the type of a value open, which is none of a type that the text has.

    Raises `SilentError` unless a compiler is asked.
    """
    match own_type(value):
        # [sparc32:pass.complex]
        case Complex():
            clause = COMPLEX
        # [sparc32:type.vector]
        case Vector():
            clause = VECTOR
        # [sparc32:type.bit-int]
        case BitInt():
            clause = BIT_INT
        case FixedPoint():
            clause = FIXED_POINT
        case _:
            return ""
    if types.reading is None:
        raise SilentError(clause, f"{value.name or 'the result'} is {spelling(value.declared)}")
    return clause


def is_by_reference(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler passes the address of a value of such a type."""
    match own_type(value):
        case Complex(kind):
            return kind.is_floating or value.size > DOUBLEWORD or types.policies.complex_by_reference
        case Vector(kind):
            return not types.policies.vectors_in_elements and (kind.is_floating or value.size > DOUBLEWORD)
        case _:
            return value.size > DOUBLEWORD


def is_in_memory(types: TypeTable, value: Travelling) -> bool:
    """Return whether a result of such a type is in memory."""
    match own_type(value):
        case Complex():
            return False
        case Vector(kind) if types.policies.vectors_in_elements:
            count, size = parts_of(types, value)
            most = OUTS // -(-size // WORD) if kind.is_integer else REALS_RETURNED.get(kind, 0)
            return count > most
        case _:
            return is_by_reference(types, value)


def parts_of(types: TypeTable, value: Travelling) -> tuple[int, int]:
    """The number of parts of a vector or complex number, and the size of each in bytes."""
    match own_type(value):
        case Vector(kind):
            size = types.extent(Scalar(kind)).size
            return value.size // size, size
        case _:
            return 2, value.size // 2


def is_in_parts(types: TypeTable, value: Travelling) -> bool:
    """Return whether each part of a value has words of its own: of a vector of clang's but for what its `va_arg` takes."""
    if isinstance(own_type(value), Complex):
        return types.policies.splits_complex_results and not value.name
    whole = types.policies.va_arg_takes_whole_vectors and value.is_unnamed
    return types.reading is Reading.CLANG and isinstance(value.type, Vector) and not whole


def words_of(types: TypeTable, value: Travelling) -> int:
    """The words of a value that is passed itself."""
    if is_in_parts(types, value):
        count, size = parts_of(types, value)
        return count * -(-size // WORD)
    return -(-value.size // WORD)


def pieces_of(types: TypeTable, value: Travelling, first: int, clause: str) -> Iterator[Piece]:
    """A value in the words from number `first` on."""
    if not is_in_parts(types, value):
        number = isinstance(own_type(value), BitInt | FixedPoint)
        signed = Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
        yield from own_words(first, value.size, clause, signed if number else Extension.ANY)
        return
    count, size = parts_of(types, value)
    for part in range(count):
        start = part * size
        for piece in own_words(first + part * -(-size // WORD), size, clause, Extension.ANY):
            yield structs.replace(piece, start=start + piece.start, end=start + piece.end)


def own_words(first: int, size: int, clause: str, above: Extension) -> Iterator[Piece]:
    """A value in words of its own, at the right of one if it is narrower."""
    if size > WORD:
        yield from in_words(first, size, clause)
    else:
        yield in_word(first, size, above, clause)


def result_of(types: TypeTable, value: Travelling, clause: str) -> tuple[Piece, ...]:
    """A result in registers: reals and vectors in floating-point ones, anything else in %o0 and so on."""
    match own_type(value):
        case Vector(kind) if types.policies.vectors_in_elements and kind.is_integer:
            return tuple(pieces_of(types, value, 0, clause))
        case Vector():
            # clang 24 has a narrow one at the left of its register.
            return in_reals(value.size, clause, left=types.reading is Reading.CLANG)
        case Complex(kind) if kind.is_floating:
            return in_reals(value.size, clause)
        case _:
            return tuple(pieces_of(types, value, 0, clause))


def in_reals(size: int, clause: str, group: str = "", *, left: bool = False) -> tuple[Piece, ...]:
    """A result of `size` bytes in floating-point registers from the first on, at one end of that if it is narrower."""
    if size < WORD:
        at = 0 if left else WORD - size
        return (Piece(0, size, Register("f0"), clause, Extension.ANY, WORD, clause, at=at),)
    return tuple(
        Piece(start, start + WORD, Register(f"f{start // WORD}"), clause, None, WORD, group=group)
        for start in range(0, size, WORD)
    )

"""Types that the text does not have, as compilers place them: complex numbers, vectors and integers of more than a word.

Sources: GCC, sparc.cc, function_arg_slotno and sparc_function_arg_1; Clang, Sparc.cpp, SparcV9ABIInfo::classifyType, and what LLVM makes
of a vector that no register holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from abiprobe.oracles.abis.sparc.argument_kind import ArgumentKind
from abiprobe.oracles.abis.sparc.data import BIT_INT, EXTENDED_WORD, INT128, QUADWORD, VECTOR
from abiprobe.oracles.abis.sparc.fields import COMPLEX, parts, place_fields
from abiprobe.oracles.abis.sparc.parameter_array import (
    OUTS,
    REALS,
    SINGLE,
    UNUSED,
    ParameterArray,
    in_array,
    in_reals,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Kind, Record, Scalar, Type, Vector, strip
from abiprobe.oracles.text.place import Extension, Piece, Register


def is_unwritten(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value is none of the text's, and a compiler is asked that has it."""
    number = isinstance(value.type, Record) or (
        isinstance(value.type, Scalar) and value.type.kind.is_floating
    )
    wide = value.size > EXTENDED_WORD and not number
    return types.reading is not None and (wide or isinstance(own_type(value), Complex | Vector))


def own_type(value: Travelling) -> Type:
    """The type of a value, a complex integer as that, which the families usually take for a record of two."""
    declared = strip(value.declared)
    return declared if isinstance(declared, Complex) else value.type


def clause_of(value: Travelling) -> str:
    """The clause that leaves the type of a value open."""
    match own_type(value):
        case Complex():
            return COMPLEX
        case Vector():
            return VECTOR
        case BitInt():
            return BIT_INT
        case _:
            return INT128


def elements_of(types: TypeTable, vector: Vector) -> tuple[int, int, int]:
    """The number of elements of a vector, their size in bytes, and the words of each as clang has them."""
    size = types.extent(Scalar(vector.kind)).size
    return vector.size // size, size, -(-size // EXTENDED_WORD)


def is_in_elements(types: TypeTable, value: Travelling) -> bool:
    """Return whether each element of a vector has words of its own, as clang has it but for what its `va_arg` takes."""
    policies = types.policies
    whole = policies.va_arg_takes_whole_vectors or policies.va_arg_takes_left_vectors
    return types.reading is Reading.CLANG and not (whole and value.is_unnamed)


def words_of(types: TypeTable, value: Travelling) -> int:
    """The words of a value; of a vector clang has each element in words of its own."""
    if isinstance(value.type, Vector) and is_in_elements(types, value):
        count, _, words = elements_of(types, value.type)
        return count * words
    return -(-value.size // EXTENDED_WORD)


def counted_words(types: TypeTable, value: Travelling) -> int:
    """The words of a value by its size, as Clang counts them, which before clang 24 were the whole ones of a vector."""
    whole = types.policies.uncounted_floats and isinstance(value.type, Vector)
    return value.size // EXTENDED_WORD if whole else -(-value.size // EXTENDED_WORD)


def align_unwritten(types: TypeTable, array: ParameterArray, value: Travelling) -> bool:
    """Leave a word out for what gcc aligns, a number by its own type, and for what clang splits."""
    if types.reading is Reading.CLANG:
        own = types.extent(own_type(value)).align
        return align_scalar(types, array, own, QUADWORD if is_split(types, value) else 0)
    by_name = types.policies.aligned_names
    return array.align(value.align if by_name else types.extent(own_type(value)).align)


def align_scalar(types: TypeTable, array: ParameterArray, own: int, lower: int | None = None) -> bool:
    """Leave a word out for what is aligned to `own`; to Clang, by the words that it counts, and to LLVM once more, to `lower`.

    Before clang 24 the former was of structures alone. What LLVM leaves out is not counted.
    """
    if types.reading is not Reading.CLANG:
        return array.align(own)
    policies = types.policies
    early = policies.uncounted_floats or policies.unaligned_structures
    padded = not early and array.align_structure(own)
    return array.align(own if lower is None else lower, counted=False) or padded


def is_split(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value of several parts begins at an even word to LLVM, as a quad does; what is coerced is in parts before."""
    if isinstance(own_type(value), Complex):
        return False
    if isinstance(value.type, BitInt) and value.is_unnamed and types.policies.unnamed_bit_int_align:
        return False
    if isinstance(value.type, Vector):
        count, size, _ = elements_of(types, value.type)
        if not is_in_elements(types, value):
            return value.size == QUADWORD and not types.policies.unaligned_parts
        if value.type.kind.is_floating and size == QUADWORD:
            return True
        return (count > 1 or size > EXTENDED_WORD) and not types.policies.unaligned_parts
    return not types.policies.unaligned_parts


def is_demoted(types: TypeTable, value: Travelling) -> bool:
    """Return whether a result is a vector of integers for which LLVM has too few registers."""
    if not isinstance(value.type, Vector) or types.reading is not Reading.CLANG:
        return False
    return value.type.kind.is_integer and words_of(types, value) > OUTS


def place_unwritten(
    types: TypeTable, value: Travelling, first: int, argument_kind: ArgumentKind
) -> tuple[Piece, ...]:
    """A value in the words from number `first` on, its reals in their registers."""
    promotes = types.policies.promotes_unnamed_reals and not isinstance(value.type, Vector)
    in_words = (argument_kind is ArgumentKind.UNNAMED and not promotes) or first >= REALS
    match own_type(value):
        case Vector(Kind.FLOAT) as vector if is_in_elements(types, value):
            # LLVM moves unnamed reals into words unless they are of single precision.
            return tuple(each_element(types, vector, first, in_words=False))
        case Vector() as vector if is_in_elements(types, value):
            if types.policies.word_vectors_on_stack and first >= OUTS and vector.size == SINGLE:
                return in_array(first, 0, SINGLE, VECTOR, before=EXTENDED_WORD - SINGLE)
            return tuple(each_element(types, vector, first, in_words=in_words))
        case Vector() if types.policies.va_arg_takes_left_vectors and value.is_unnamed:
            return in_array(first, 0, value.size, VECTOR)
        case Vector() as vector if not in_words:
            return vector_in_reals(vector, first, right=vector.kind.is_integer)
        case Complex(kind) as number if kind.is_floating and not in_words:
            reals = tuple(parts(types, number, 0, first))
            return tuple(place_fields(value, first, reals, frozenset(range(value.size)), ""))
        case Complex(kind) if kind.is_integer and types.policies.left_complex_integers:
            return in_array(first, 0, value.size, COMPLEX)
        case _:
            before = max(EXTENDED_WORD - value.size, 0)
            return in_array(first, 0, value.size, clause_of(value), before=before)


def place_result(types: TypeTable, value: Travelling) -> tuple[Piece, ...]:
    """A result in registers: a vector from the first floating-point register on, of clang's only if it is one of reals."""
    match own_type(value):
        case Vector() as vector if types.reading is Reading.GCC:
            return vector_in_reals(vector, 0, right=False)
        case Vector() as vector if vector.kind is Kind.FLOAT:
            return tuple(structs.replace(piece, group="") for piece in in_reals(0, 0, value.size, VECTOR))
        case _:
            return place_unwritten(types, value, 0, ArgumentKind.FIXED)


def each_element(types: TypeTable, vector: Vector, first: int, *, in_words: bool) -> Iterator[Piece]:
    """The elements of a vector, each as if it were a value of its own."""
    count, size, words = elements_of(types, vector)
    before = max(EXTENDED_WORD - size, 0)
    for number in range(count):
        word, start = first + number * words, number * size
        if vector.kind.is_floating and not in_words and word < REALS:
            pieces = in_reals((word * EXTENDED_WORD + before) // SINGLE, 0, size, VECTOR)
        else:
            pieces = in_array(word, 0, size, VECTOR, before=before)
        for piece in pieces:
            yield structs.replace(piece, start=start + piece.start, end=start + piece.end)


def vector_in_reals(vector: Vector, first: int, *, right: bool) -> tuple[Piece, ...]:
    """A vector of gcc's in the floating-point registers of its words; a narrow one may be in the right half."""
    register, size = first * EXTENDED_WORD // SINGLE, vector.size
    if size < EXTENDED_WORD:
        place = Register(f"f{register + right}")
        rest = Extension.ANY if size < SINGLE else None
        return (Piece(0, size, place, VECTOR, rest, SINGLE, UNUSED if rest else "", at=SINGLE - size),)
    end = min(size, (REALS - first) * EXTENDED_WORD)
    return (*in_reals(register, 0, end, VECTOR), *in_array(first, end, size, VECTOR))

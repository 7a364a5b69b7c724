"""Scalar types of AAPCS32 (5.1, table; 8.1.1, table)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import ILP32_SIZES, DataModel, EmptyClass, Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
EMPTY_CLASS = cite("pass.empty-class")
SCALAR = cite("type.scalar")
HALF = cite("type.half")
BIT_INT = cite("type.bit-int")
WIDE_BIT_INT = cite("type.wide-bit-int")
VECTOR = cite("type.vector")
VECTOR_SIZE = cite("type.vector-size")
ENUM = cite("type.enum")

WORD, DOUBLE_WORD, QUAD = 4, 8, 16
MOST_ALIGNED = DOUBLE_WORD
"""No fundamental type is aligned to more bytes."""
CONTAINERIZED = (DOUBLE_WORD, QUAD)
INTEGRAL = (1, 2, WORD, DOUBLE_WORD)
HALVES = (Kind.FLOAT16, Kind.FP16, Kind.BF16)


@implements("type.bit-int", "type.wide-bit-int")
def bit_int(width: int) -> Sized:
    """`_BitInt(width)`: the smallest integral type that holds it, or an array of 64-bit integers."""
    for size in INTEGRAL:
        if width <= size * 8:
            return Sized(size, size, BIT_INT)
    return Sized(round_up(width, DOUBLE_WORD * 8) // 8, DOUBLE_WORD, WIDE_BIT_INT)


def vector(size: int, _element: Sized) -> Sized:
    """A containerized vector is aligned to 8 bytes; the text has no others."""
    if size not in CONTAINERIZED:
        raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
    return Sized(size, DOUBLE_WORD, VECTOR)


def any_vector(size: int, _element: Sized) -> Sized:
    """Vectors as compilers have them: aligned to their size, but to no more than 8 bytes."""
    return Sized(size, min(size, MOST_ALIGNED), VECTOR if size in CONTAINERIZED else VECTOR_SIZE)


@implements("type.char")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family."""
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in ILP32_SIZES.items()}
    return DataModel(
        empty_class=(EmptyClass.BYTE, EMPTY_CLASS),
        kinds=kinds | {Kind.LDOUBLE: Sized(8, 8, SCALAR)} | {kind: Sized(2, 2, HALF) for kind in HALVES},
        pointer=Sized(WORD, WORD, SCALAR),
        bit_int=bit_int,
        vector=vector if reading is None else any_vector,
        enum_clause=ENUM,
        # [aapcs32:type.char]
        char_signed=False,
        # [aapcs32:type.bit-int]
        bit_int_extended=True,
        significant={},
        # gcc aligns an atomic type of 16 bytes to 8, clang leaves it where its base type is.
        atomic=(2 * DOUBLE_WORD, DOUBLE_WORD),
        atomic_align=MOST_ALIGNED,
        biggest=MOST_ALIGNED,
        strict_alignment=True,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
    unnamed_align=True,
)

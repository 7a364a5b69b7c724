"""Scalar types of AAPCS64 under LP64 (5.1, table 1; 10.1.1, table 3; 10.1.2, table 4)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, LP64_SIZES, DataModel, EmptyClass, Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses, round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import ByteOrder

cite, implements = citing(__package__)
EMPTY_CLASS = cite("pass.empty-class")
SCALAR = cite("type.scalar")
HALF = cite("type.half")
BIT_INT = cite("type.bit-int")
WIDE_BIT_INT = cite("type.wide-bit-int")
VECTOR = cite("type.vector")
VECTOR_SIZE = cite("type.vector-size")
ENUM = cite("type.enum")
SCALABLE = cite("type.scalable")

QUAD = 16
"""The size in bytes of the largest fundamental type, and of a SIMD and floating-point register."""
SHORT_VECTORS = (8, QUAD)
INTEGRAL = (1, 2, 4, 8, QUAD)

# `_Float128` has no row of its own; it is binary128, which is what `long double` is here.
SIZES = {**LP64_SIZES, Kind.LDOUBLE: 16, Kind.FLOAT128: 16}
DECIMAL = cite("type.decimal")
HALVES = (Kind.FLOAT16, Kind.FP16, Kind.BF16)


@implements("type.bit-int", "type.wide-bit-int")
def bit_int(width: int) -> Sized:
    """`_BitInt(width)`: the smallest integral type that holds it, or an array of `__int128`."""
    for size in INTEGRAL:
        if width <= size * 8:
            return Sized(size, size, BIT_INT)
    return Sized(round_up(width, QUAD * 8) // 8, QUAD, WIDE_BIT_INT)


def vector(size: int, _element: Sized) -> Sized:
    """A short vector is aligned to its size; the text has no others."""
    if size not in SHORT_VECTORS:
        raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
    return Sized(size, size, VECTOR)


def any_vector(size: int, _element: Sized) -> Sized:
    """Vectors as compilers have them: those of other sizes are aligned to their size, but to no more than a register."""
    return Sized(size, min(size, QUAD), VECTOR if size in SHORT_VECTORS else VECTOR_SIZE)


@implements("type.char", "type.byte-order", "type.decimal", "type.scalable", "type.scalable-tuple")
def data_model(reading: Reading | None, order: ByteOrder, sve_bits: int = 0) -> DataModel:
    """The data model of the text, or of a compiler family, in one byte order, with registers of SVE if they have any bits."""
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()}
    # [aapcs64:type.decimal]
    kinds |= {kind: Sized(size, size, DECIMAL) for kind, size in DECIMAL_SIZES.items()}
    return DataModel(
        empty_class=(EmptyClass.BYTE, EMPTY_CLASS),
        kinds=kinds | {kind: Sized(2, 2, HALF) for kind in HALVES},
        pointer=Sized(8, 8, SCALAR),
        bit_int=bit_int,
        vector=vector if reading is None else any_vector,
        enum_clause=ENUM,
        # [aapcs64:type.char]
        char_signed=False,
        bit_int_extended=False,
        significant={},
        # [aapcs64:type.byte-order]
        order=order,
        # [aapcs64:type.scalable] [aapcs64:type.scalable-tuple]
        sve_bits=sve_bits,
        scalable_clause=SCALABLE,
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

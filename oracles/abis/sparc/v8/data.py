"""Scalar types and record layout of 32-bit SPARC."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import (
    ILP32_SIZES,
    DataModel,
    Sized,
    aligned_vector,
    silent_bit_int,
    silent_vector,
)
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
BOOL = cite("type.bool")
ENUM = cite("type.enum")
ENUM_LARGE = cite("type.enum-large")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")

WORD, DOUBLEWORD, QUADWORD = 4, 8, 16

LACKING = (Kind.FLOAT16, Kind.BF16)
SIZES = {kind: size for kind, size in ILP32_SIZES.items() if kind not in LACKING} | {
    Kind.LDOUBLE: QUADWORD,
    Kind.FLOAT128: QUADWORD,
}


@implements(
    "type.scalar",
    "type.bool",
    "type.char",
    "type.byte-order",
    "type.enum",
    "type.enum-large",
    "type.bit-int",
    "type.vector",
)
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family where the text has no such types."""
    # [sparc32:type.scalar]
    kinds = {kind: Sized(size, min(size, DOUBLEWORD), SCALAR) for kind, size in SIZES.items()}
    # [sparc32:type.bool]
    kinds[Kind.BOOL] = Sized(1, 1, BOOL)
    return DataModel(
        kinds=kinds,
        pointer=Sized(WORD, WORD, SCALAR),
        # [sparc32:type.bit-int]
        bit_int=silent_bit_int(BIT_INT) if reading is None else usual_bit_int(DOUBLEWORD, BIT_INT),
        # [sparc32:type.vector]
        vector=silent_vector(VECTOR) if reading is None else aligned_vector(VECTOR),
        enum_clause=ENUM,
        # [sparc32:type.char]
        char_signed=True,
        bit_int_extended=False,
        significant={},
        atomic=(QUADWORD, DOUBLEWORD),
        atomic_align=DOUBLEWORD,
        # [sparc32:type.byte-order]
        order="big",
        biggest=DOUBLEWORD,
        strict_alignment=True,
        bit_int_chunk=DOUBLEWORD,
        fixed_as_integers=True,
        # [sparc32:type.enum] [sparc32:type.enum-large]
        enums_are_ints=True,
        int_enums=ENUM_LARGE if reading is None else "",
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
    silent_unnamed=True,
)

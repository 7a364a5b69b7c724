"""Scalar types and record layout of the 64-bit ABI of SPARC (3P, Data Representation)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import (
    LP64_SIZES,
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
INT128 = cite("type.int128")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")

EXTENDED_WORD, QUADWORD = 8, 16

WIDE = (Kind.INT128, Kind.UINT128)
LACKING = (Kind.FLOAT16, Kind.BF16)
SIZES = {kind: size for kind, size in LP64_SIZES.items() if kind not in (*LACKING, *WIDE)} | {
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
    "type.int128",
    "type.bit-int",
    "type.vector",
)
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family where the text has no such types."""
    # [scd:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()}
    # [scd:type.bool]
    kinds[Kind.BOOL] = Sized(1, 1, BOOL)
    # [scd:type.int128]
    wide = {kind: Sized(QUADWORD, QUADWORD, INT128) for kind in WIDE}
    return DataModel(
        kinds=kinds if reading is None else kinds | wide,
        pointer=Sized(EXTENDED_WORD, EXTENDED_WORD, SCALAR),
        # [scd:type.bit-int]
        bit_int=silent_bit_int(BIT_INT) if reading is None else usual_bit_int(EXTENDED_WORD, BIT_INT),
        # [scd:type.vector]
        vector=silent_vector(VECTOR) if reading is None else aligned_vector(VECTOR),
        enum_clause=ENUM,
        # [scd:type.char]
        char_signed=True,
        bit_int_extended=False,
        significant={},
        # gcc aligns an atomic type of 16 bytes to its size, clang does not.
        atomic=(QUADWORD, EXTENDED_WORD),
        # [scd:type.byte-order]
        order="big",
        biggest=QUADWORD,
        strict_alignment=True,
        unsaid=wide if reading is None else {},
        # [scd:type.enum] [scd:type.enum-large]
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
)

"""Scalar types and record layout of Xtensa."""

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
OTHER = cite("type.other")
RECORD = cite("type.record")
BITS = cite("bits.place")

WORD, DOUBLEWORD, QUADWORD = 4, 8, 16
LACKING = {Kind.FLOAT16, Kind.BF16}
SIZES = {kind: size for kind, size in ILP32_SIZES.items() if kind not in LACKING} | {Kind.LDOUBLE: DOUBLEWORD}
OTHERS = {Kind.BOOL: Sized(1, 1, OTHER)}


@implements("type.scalar", "type.char", "type.byte-order", "type.enum", "type.other")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the sentences that were read, or of a compiler family."""
    # [xtensa:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items() if kind not in OTHERS}
    return DataModel(
        # [xtensa:type.other]
        kinds=kinds if reading is None else kinds | OTHERS,
        unsaid=OTHERS if reading is None else {},
        pointer=Sized(WORD, WORD, SCALAR),
        bit_int=silent_bit_int(OTHER) if reading is None else usual_bit_int(DOUBLEWORD, OTHER),
        vector=silent_vector(OTHER) if reading is None else aligned_vector(OTHER),
        # [xtensa:type.enum]
        enum_clause=cite("type.enum"),
        open_enums=True,
        # [xtensa:type.char]
        char_signed=False,
        bit_int_extended=False,
        significant={},
        # [xtensa:type.byte-order]
        order="little",
        atomic=(QUADWORD, WORD),
        biggest=QUADWORD,
        strict_alignment=True,
        bit_int_chunk=DOUBLEWORD,
        fixed_as_integers=True,
    )


def layouts(reading: Reading | None) -> LayoutClauses:
    """The clauses of records, in which clang's bit-fields without a name align."""
    return LayoutClauses(
        scalar=SCALAR,
        member=RECORD,
        union=RECORD,
        bit_field=BITS,
        unnamed_bit_field=BITS,
        zero_width=BITS,
        unnamed_align=reading is Reading.CLANG,
        open_bits=True,
    )

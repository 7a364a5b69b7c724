"""Scalar types of the Colossus IPU (Colossus IPU ABI, 14.1)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import DataModel, Sized, aligned_vector, bit_int
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__).cite
SCALAR = cite("type.scalar")
LONG = cite("type.long")
LONG_LONG = cite("type.long-long")
DOUBLE = cite("type.double")
HALF = cite("type.half")
ENUM = cite("type.enum")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")

KINDS = {
    Kind.BOOL: Sized(1, 1, SCALAR),
    Kind.CHAR: Sized(1, 1, SCALAR),
    Kind.SCHAR: Sized(1, 1, SCALAR),
    Kind.UCHAR: Sized(1, 1, SCALAR),
    Kind.SHORT: Sized(2, 2, SCALAR),
    Kind.USHORT: Sized(2, 2, SCALAR),
    Kind.INT: Sized(4, 4, SCALAR),
    Kind.UINT: Sized(4, 4, SCALAR),
    Kind.LONG: Sized(4, 4, LONG),
    Kind.ULONG: Sized(4, 4, LONG),
    Kind.LLONG: Sized(8, 8, LONG_LONG),
    Kind.ULLONG: Sized(8, 8, LONG_LONG),
    Kind.FP16: Sized(2, 2, HALF),
    Kind.FLOAT: Sized(4, 4, SCALAR),
    Kind.DOUBLE: Sized(8, 4, DOUBLE),
    Kind.LDOUBLE: Sized(8, 4, DOUBLE),
}
WIDEST_VECTOR_ALIGN = 8
ATOMIC = (0, 16)
"""The text has no atomic types: an answer is given only where the alignment of none is raised."""
ATOMIC_BY_COMPILER = (4, 4)


def data_model(atomic: tuple[int, int]) -> DataModel:
    """The data model; `atomic` as `DataModel` has it."""
    return DataModel(
        kinds=KINDS,
        pointer=Sized(4, 4, SCALAR),
        bit_int=bit_int(8, BIT_INT),
        vector=aligned_vector(VECTOR, WIDEST_VECTOR_ALIGN),
        enum_clause=ENUM,
        char_signed=True,
        bit_int_extended=False,
        significant={},
        atomic=atomic,
        packs_ms_units=False,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("record.struct"),
    union=cite("record.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
    unnamed_align=True,
)

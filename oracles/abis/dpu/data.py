"""Scalar types of the UPMEM DPU (UPMEM DPU ABI, Data types)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import DataModel, Sized, aligned_vector, bit_int
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
OTHER = cite("type.other")
ENUM = cite("type.enum")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")

SIZES = {
    Kind.CHAR: 1,
    Kind.SCHAR: 1,
    Kind.UCHAR: 1,
    Kind.SHORT: 2,
    Kind.USHORT: 2,
    Kind.INT: 4,
    Kind.UINT: 4,
    Kind.LONG: 8,
    Kind.ULONG: 8,
    Kind.LLONG: 8,
    Kind.ULLONG: 8,
    Kind.FLOAT: 4,
    Kind.DOUBLE: 8,
}
UNLISTED = {Kind.BOOL: 1, Kind.LDOUBLE: 8}
ATOMIC = (0, 16)
"""The text has no atomic types: an answer is given only where the alignment of none is raised."""
ATOMIC_BY_COMPILER = (0, 0)


@implements("type.endian")
def data_model(atomic: tuple[int, int]) -> DataModel:
    """The data model; `atomic` as `DataModel` has it."""
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()}
    kinds |= {kind: Sized(size, size, OTHER) for kind, size in UNLISTED.items()}
    return DataModel(
        kinds=kinds,
        pointer=Sized(4, 4, SCALAR),
        bit_int=bit_int(8, BIT_INT),
        vector=aligned_vector(VECTOR),
        enum_clause=ENUM,
        char_signed=True,
        bit_int_extended=False,
        significant={},
        atomic=atomic,
        packs_ms_units=False,
    )


@implements("record.array")
def text() -> LayoutClauses:
    """The clauses that decide where a member lies."""
    return LayoutClauses(
        scalar=SCALAR,
        member=cite("record.struct"),
        union=cite("record.union"),
        bit_field=cite("bits.packing"),
        unnamed_bit_field=cite("bits.unnamed"),
        zero_width=cite("bits.zero-width"),
    )

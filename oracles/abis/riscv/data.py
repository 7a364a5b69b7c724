"""Scalar types of the RISC-V ABIs (RISC-V ABIs Specification, C/C++ Type Details)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from abiprobe.oracles.engine.data_model import LP64_SIZES, DataModel, EmptyClass, Sized, bit_int
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
EMPTY = cite("int.empty-class", "oracles.abis.itanium.call_model.require_agreement")
SCALAR = cite("type.scalar")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")
ENUM = cite("type.enum")

SIZES = {**LP64_SIZES, Kind.LDOUBLE: 16, Kind.FLOAT128: 16}


def vector(size: int, element: Sized) -> Sized:
    """A fixed-length vector of `size` bytes: as large as its elements, aligned as one of them."""
    return Sized(size, element.align, VECTOR)


@implements("type.char", "type.complex")
def data_model(sizes: Mapping[Kind, int], pointer: int, bit_int_chunk: int) -> DataModel:
    """A data model in which every scalar is aligned to its size; `char` is unsigned.

    A `_BitInt` of more than 64 bits has chunks of `bit_int_chunk` bytes.
    """
    # [riscv:type.complex]
    return DataModel(
        empty_class=(EmptyClass.SIZED, EMPTY),
        # `_Float128` has no row of its own; it is binary128, which is what `long double` is here.
        kinds={kind: Sized(size, size, SCALAR) for kind, size in sizes.items()},
        pointer=Sized(pointer, pointer, SCALAR),
        bit_int=bit_int(bit_int_chunk, BIT_INT),
        vector=vector,
        enum_clause=ENUM,
        # [riscv:type.char]
        char_signed=False,
        bit_int_extended=True,
        bit_int_flattened=True,
        significant={},
        strict_alignment=True,
    )


ILP32_SIZES: dict[Kind, int] = {
    kind: 4 if kind in {Kind.LONG, Kind.ULONG} else size for kind, size in SIZES.items() if not kind.is_int128
}
LP64 = data_model(SIZES, 8, 16)
ILP32 = data_model(ILP32_SIZES, 4, 8)

VLEN = 128
"""Bits of a vector register where calls with vectors are asked: the least that the V extension allows."""
LP64_VECTOR = replace(LP64, vector_bits=VLEN, scalable_clause=cite("vector.types"))

TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

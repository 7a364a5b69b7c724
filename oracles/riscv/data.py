"""Scalar types of the RISC-V ABIs (RISC-V ABIs Specification, C/C++ Type Details)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from abiprobe.oracles.engine.data_model import DataModel, Sized
from abiprobe.oracles.engine.records import LayoutClauses, round_up
from abiprobe.oracles.lang import Kind
from abiprobe.oracles.riscv.sheet import cite, implements

SCALAR = cite("type.scalar")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")
ENUM = cite("type.enum")

LP64_SIZES = {
    Kind.BOOL: 1,
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
    Kind.INT128: 16,
    Kind.UINT128: 16,
    Kind.FLOAT16: 2,
    Kind.BF16: 2,
    Kind.FLOAT: 4,
    Kind.DOUBLE: 8,
    Kind.LDOUBLE: 16,
    Kind.FLOAT128: 16,
}


def lp64_bit_int(width: int) -> Sized:
    """`_BitInt(width)` under LP64: the smallest integer type up to 64 bits, 16-byte chunks above."""
    for size in (1, 2, 4, 8):
        if width <= size * 8:
            return Sized(size, size, BIT_INT)
    return Sized(round_up(width, 128) // 8, 16, BIT_INT)


def vector(size: int, element: Sized) -> Sized:
    """A fixed-length vector of `size` bytes: as large as its elements, aligned as one of them."""
    return Sized(size, element.align, VECTOR)


def ilp32_bit_int(width: int) -> Sized:
    """`_BitInt(width)` under ILP32: the smallest integer type up to 64 bits, 8-byte chunks above."""
    for size in (1, 2, 4, 8):
        if width <= size * 8:
            return Sized(size, size, BIT_INT)
    return Sized(round_up(width, 64) // 8, 8, BIT_INT)


@implements("type.char", "type.complex")
def data_model(sizes: Mapping[Kind, int], pointer: int, bit_int: Callable[[int], Sized]) -> DataModel:
    """A data model in which every scalar is aligned to its size; `char` is unsigned."""
    return DataModel(
        # `_Float128` has no row of its own; it is binary128, which is what `long double` is here.
        kinds={kind: Sized(size, size, SCALAR) for kind, size in sizes.items()},
        pointer=Sized(pointer, pointer, SCALAR),
        bit_int=bit_int,
        vector=vector,
        enum_clause=ENUM,
        char_signed=False,
        bit_int_extended=True,
        significant={},
    )


ILP32_SIZES: dict[Kind, int] = {
    kind: 4 if kind in {Kind.LONG, Kind.ULONG} else size
    for kind, size in LP64_SIZES.items()
    if kind not in {Kind.INT128, Kind.UINT128}
}
LP64 = data_model(LP64_SIZES, 8, lp64_bit_int)
ILP32 = data_model(ILP32_SIZES, 4, ilp32_bit_int)

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

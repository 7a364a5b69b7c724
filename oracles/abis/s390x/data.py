"""Scalar types, `_BitInt` and vectors of s390x (1.1.2 Data Representation, table 1.1)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, LP64_SIZES, DataModel, Sized
from abiprobe.oracles.engine.data_model import bit_int as bit_int_of
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
VECTOR = cite("type.vector")
ENUM = cite("type.enum")
DECIMAL = cite("type.decimal")

MOST_ALIGNED = 8
"""No type is aligned to more bytes."""
# `_Float128` has no row of its own; it is the extended format, which is what `long double` is here. There is no `__bf16`.
SIZES = {kind: size for kind, size in LP64_SIZES.items() if kind is not Kind.BF16} | {
    Kind.LDOUBLE: 16,
    Kind.FLOAT128: 16,
}


@implements("type.vector")
def vector(size: int, _element: Sized) -> Sized:
    """A vector is aligned to its size, but to no more than 8 bytes."""
    return Sized(size, min(size, MOST_ALIGNED), VECTOR)


@implements(
    "type.scalar", "type.decimal", "type.char", "type.byte-order", "type.bit-int", "type.complex-integer"
)
def data_model() -> DataModel:
    """The data model of the text."""
    # [lzsabi:type.scalar]
    kinds: dict[Kind, Sized] = {
        kind: Sized(size, min(size, MOST_ALIGNED), SCALAR) for kind, size in SIZES.items()
    }
    # [lzsabi:type.decimal]
    kinds |= {kind: Sized(size, min(size, MOST_ALIGNED), DECIMAL) for kind, size in DECIMAL_SIZES.items()}
    return DataModel(
        kinds=kinds,
        pointer=Sized(8, 8, SCALAR),
        bit_int=bit_int_of(8, cite("type.bit-int")),
        vector=vector,
        # [lzsabi:type.complex-integer]
        complex_integers=cite("type.complex-integer"),
        enum_clause=ENUM,
        # [lzsabi:type.char]
        char_signed=False,
        # [lzsabi:type.bit-int]
        bit_int_extended=True,
        significant={},
        # gcc 16 aligns an atomic type of 16 bytes to 16 in records, and tells 8 of these; gcc before leaves it where its base type is.
        atomic=(16, 16),
        atomic_settled=False,
        biggest=MOST_ALIGNED,
        # [lzsabi:type.byte-order]
        order="big",
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

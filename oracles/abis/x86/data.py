"""Scalar types of x86-64 System V (AMD64 psABI 3.1.2, figure 3.1, LP64 and ILP32)."""

from __future__ import annotations

from functools import partial

from abiprobe.oracles.engine.data_model import (
    DECIMAL_SIZES,
    LP64_SIZES,
    DataModel,
    EmptyClass,
    Sized,
    bit_int,
)
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import LayoutOptions

cite, implements = citing(__package__)
NO_CLASS = cite("pass.no-class")
SCALAR = cite("type.scalar")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")
VECTOR_SIZE = cite("class.vector-size")
PACKED_TYPES = (8, 16, 32, 64)
ENUM = cite("type.enum")
X87_BYTES = 10

POINTERS = {"LP64": 8, "ILP32": 4}
"""Size in bytes of a pointer, and of a long, in each programming model."""
SIZES = {**LP64_SIZES, **DECIMAL_SIZES, Kind.LDOUBLE: 16, Kind.FLOAT128: 16}


def packed_type(aligned: str, silent: str, widest: int, size: int, _element: Sized) -> Sized:
    """A packed type is aligned to its size, if registers of `widest` bytes hold it; other vectors are not in the text.

    `aligned` and `silent` are the clauses for the two cases.
    """
    if size not in PACKED_TYPES or size > widest:
        raise SilentError(silent, f"a vector of {size} bytes")
    return Sized(size, size, aligned)


@implements("type.long-double")
def data_model(options: LayoutOptions, programming: str = "LP64") -> DataModel:
    """The data model of a programming model, under the options that make `long double` a `double` or a `__float128`."""
    word = POINTERS[programming]
    sizes = {**SIZES, Kind.LONG: word, Kind.ULONG: word}
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in sizes.items()}
    same = {} if options.real is None else {Kind.LDOUBLE: options.real}
    kinds |= {kind: kinds[other] for kind, other in same.items()}
    return DataModel(
        empty_class=(EmptyClass.PADDING, NO_CLASS),
        kinds=kinds,
        pointer=Sized(word, word, SCALAR),
        bit_int=bit_int(8, BIT_INT),
        vector=partial(packed_type, VECTOR, VECTOR_SIZE, options.vectors),
        enum_clause=ENUM,
        enum_sign_open=True,
        char_signed=True,
        bit_int_extended=False,
        significant={} if same else {Kind.LDOUBLE: X87_BYTES},
        ms_struct=True,
        same=same,
        fixed_as_integers=True,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.storage-unit"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

"""Scalar types, vectors and record layout of ELFv1 (3.1.2 Data Representation)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD
from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, LP64_SIZES, DataModel, Sized, silent_bit_int
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
VECTOR = cite("type.vector")
OTHER_VECTOR = cite("type.vector-other")
OTHER_REAL = cite("type.other-real")
BIT_INT = cite("type.bit-int")
ENUM = cite("type.enum")

HALVES = {Kind.FLOAT16, Kind.BF16}
SIZES = {kind: size for kind, size in LP64_SIZES.items() if kind not in HALVES} | {Kind.LDOUBLE: QUADWORD}
OTHER_REALS = {**DECIMAL_SIZES, Kind.FLOAT128: QUADWORD}
LARGEST_ELEMENT = 4
"""Bytes of the largest element that the vectors of the text have."""


@implements("type.vector", "type.vector-other")
def vector(size: int, element: Sized) -> Sized:
    """A vector of 16 bytes with elements of up to 4; the text has no others."""
    # [elfv1:type.vector-other]
    if size != QUADWORD or element.size > LARGEST_ELEMENT:
        raise SilentError(OTHER_VECTOR, f"a vector of {size} bytes with elements of {element.size}")
    # [elfv1:type.vector]
    return Sized(size, size, VECTOR)


def any_vector(size: int, element: Sized) -> Sized:
    """Vectors as compilers have them: each is aligned to its size."""
    known = size == QUADWORD and element.size <= LARGEST_ELEMENT
    return Sized(size, size, VECTOR if known else OTHER_VECTOR)


@implements(
    "type.scalar",
    "type.other-real",
    "type.char",
    "type.byte-order",
    "type.bit-int",
    "type.complex-integer",
    "type.enum-wide",
)
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family, big-endian."""
    # [elfv1:type.other-real]
    others = {kind: Sized(size, size, OTHER_REAL) for kind, size in OTHER_REALS.items()}
    # [elfv1:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()}
    return DataModel(
        kinds=kinds if reading is None else kinds | others,
        pointer=Sized(DOUBLEWORD, DOUBLEWORD, SCALAR),
        # [elfv1:type.bit-int]
        bit_int=silent_bit_int(BIT_INT) if reading is None else usual_bit_int(DOUBLEWORD, BIT_INT),
        vector=vector if reading is None else any_vector,
        enum_clause=ENUM,
        # [elfv1:type.char]
        char_signed=False,
        bit_int_extended=False,
        ms_struct=True,
        significant={},
        biggest=QUADWORD,
        # [elfv1:type.byte-order]
        order="big",
        unsaid=others if reading is None else {},
        # [elfv1:type.enum-wide]
        enums_are_ints=True,
        int_enums=cite("type.enum-wide") if reading is None else "",
        # [elfv1:type.complex-integer]
        complex_integers=cite("type.complex-integer"),
    )


def text() -> LayoutClauses:
    """The clauses of record layout."""
    return LayoutClauses(
        scalar=SCALAR,
        member=cite("type.record"),
        union=cite("type.union"),
        bit_field=cite("bits.packing"),
        unnamed_bit_field=cite("bits.unnamed"),
        zero_width=cite("bits.zero-width"),
        unit=DOUBLEWORD * 8,
        too_wide=cite("bits.wide"),
    )

"""Scalar types, vectors and record layout of ELFv2 (2.1.2 Data Representation)."""

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
VECTOR_SIZE = cite("type.vector-size")
BIT_INT = cite("type.bit-int")
ENUM = cite("type.enum")
DECIMAL = cite("type.decimal")

HALVES = {Kind.FLOAT16, Kind.BF16}
SIZES = {kind: size for kind, size in LP64_SIZES.items() if kind not in HALVES} | {
    Kind.LDOUBLE: QUADWORD,
    Kind.FLOAT128: QUADWORD,
}


@implements("type.vector-size")
def vector(size: int, _element: Sized) -> Sized:
    """A vector of 16 bytes; the text has no others."""
    if size != QUADWORD:
        raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
    return Sized(size, size, VECTOR)


def any_vector(size: int, _element: Sized) -> Sized:
    """Vectors as compilers have them: those of other sizes are aligned to their size."""
    return Sized(size, size, VECTOR if size == QUADWORD else VECTOR_SIZE)


@implements(
    "type.scalar", "type.decimal", "type.char", "type.byte-order", "type.bit-int", "type.complex-integer"
)
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family, little-endian."""
    # [elfv2:type.decimal]
    decimals = {kind: Sized(size, size, DECIMAL) for kind, size in DECIMAL_SIZES.items()}
    return DataModel(
        # [elfv2:type.scalar]
        kinds={kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()} | decimals,
        pointer=Sized(DOUBLEWORD, DOUBLEWORD, SCALAR),
        # [elfv2:type.bit-int]
        bit_int=silent_bit_int(BIT_INT) if reading is None else usual_bit_int(DOUBLEWORD, BIT_INT),
        # [elfv2:type.complex-integer]
        complex_integers=cite("type.complex-integer"),
        vector=vector if reading is None else any_vector,
        enum_clause=ENUM,
        # [elfv2:type.char]
        char_signed=False,
        bit_int_extended=False,
        ms_struct=True,
        significant={},
        biggest=QUADWORD,
        # [elfv2:type.byte-order]
        order="little",
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

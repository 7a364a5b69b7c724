"""Scalar types, vectors and record layout of the 32-bit supplement (3.1.2 Data Representation)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, ILP32_SIZES, DataModel, Sized, silent_bit_int
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
LONG_DOUBLE = cite("type.long-double")
DECIMAL = cite("type.decimal")
VECTOR = cite("type.vector")
OTHER_VECTOR = cite("type.other-vector")
OTHER_REAL = cite("type.other-real")
BIT_INT = cite("type.bit-int")

WORD, DOUBLEWORD, QUADWORD = 4, 8, 16
HALVES = (Kind.FLOAT16, Kind.BF16)
ATOMIC = (QUADWORD, WORD)
"""Bytes up to which gcc and clang align an atomic type to its size."""


def is_written(size: int, element: int) -> bool:
    """Return whether the text has vectors of a size with elements of a size."""
    return size == QUADWORD and element <= WORD


@implements("type.vector", "type.other-vector")
def vector(size: int, element: Sized) -> Sized:
    """A vector of 16 bytes; the text has no others, and none of doublewords."""
    # [ppc32:type.other-vector]
    if not is_written(size, element.size):
        raise SilentError(OTHER_VECTOR, f"a vector of {size} bytes with elements of {element.size}")
    # [ppc32:type.vector]
    return Sized(size, size, VECTOR)


def any_vector(size: int, element: Sized) -> Sized:
    """Vectors as compilers have them: those that the text does not have are aligned to their size, too."""
    return Sized(size, size, VECTOR if is_written(size, element.size) else OTHER_VECTOR)


@implements(
    "type.scalar",
    "type.long-double",
    "type.decimal",
    "type.char",
    "type.byte-order",
    "type.bit-int",
    "type.other-real",
)
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family, big-endian."""
    # [ppc32:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in ILP32_SIZES.items() if kind not in HALVES}
    # [ppc32:type.long-double]
    kinds[Kind.LDOUBLE] = Sized(QUADWORD, QUADWORD, LONG_DOUBLE)
    # [ppc32:type.decimal]
    kinds |= {kind: Sized(size, size, DECIMAL) for kind, size in DECIMAL_SIZES.items()}
    # [ppc32:type.other-real]
    halves = {kind: Sized(ILP32_SIZES[kind], ILP32_SIZES[kind], OTHER_REAL) for kind in HALVES}
    return DataModel(
        kinds=kinds if reading is None else kinds | halves,
        pointer=Sized(WORD, WORD, SCALAR),
        # [ppc32:type.bit-int]
        bit_int=silent_bit_int(BIT_INT) if reading is None else usual_bit_int(DOUBLEWORD, BIT_INT),
        vector=vector if reading is None else any_vector,
        enum_clause=cite("type.enum"),
        # [ppc32:type.char]
        char_signed=False,
        bit_int_extended=False,
        significant={},
        # The GCC manual has the attribute for PowerPC as for x86 (PowerPC Variable Attributes).
        ms_struct=True,
        fixed_as_integers=True,
        atomic=ATOMIC,
        biggest=QUADWORD,
        # [ppc32:type.byte-order]
        order="big",
        unsaid=halves if reading is None else {},
        bit_int_chunk=DOUBLEWORD,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

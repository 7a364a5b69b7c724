"""Scalar types of LoongArch under LP64 and ILP32 (Fundamental types; Appendix: C data types and machine data types)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import (
    ILP32_SIZES,
    LP64_SIZES,
    DataModel,
    Sized,
    aligned_vector,
    silent_bit_int,
)
from abiprobe.oracles.engine.data_model import bit_int as bit_int_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
WIDE = cite("type.int128")
HALF = cite("type.half")
BIT_INT = cite("type.bit-int")
VECTOR = cite("type.vector")
VECTOR_SIZE = cite("type.vector-size")
ENUM = cite("type.enum")

WIDE_GRLEN = 8
VECTORS = (16, 32)
# `_Float128` has no row of its own; it is the quad-precision format, which is what `long double` is here.
REALS = {Kind.LDOUBLE: 16, Kind.FLOAT128: 16}
HALVES = (Kind.FLOAT16, Kind.BF16)


def vector(size: int, _element: Sized) -> Sized:
    """A vector of 128 or 256 bits."""
    if size not in VECTORS:
        raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
    return Sized(size, size, VECTOR)


@implements("type.scalar", "type.char", "type.int128")
def data_model(reading: Reading | None, grlen: int) -> DataModel:
    """The data model of the text, or of a compiler family: ILP32 where registers have `grlen` = 4 bytes, LP64 where they have 8."""
    kinds = {
        # [lapcs:type.scalar] [lapcs:type.int128]
        kind: Sized(size, size, WIDE if kind.is_int128 else SCALAR)
        for kind, size in {**(LP64_SIZES if grlen == WIDE_GRLEN else ILP32_SIZES), **REALS}.items()
        if kind not in HALVES
    }
    unsaid = {kind: Sized(2, 2, HALF) for kind in HALVES}
    return DataModel(
        # gcc has none of these.
        kinds=kinds | unsaid if reading is Reading.CLANG else kinds,
        pointer=Sized(grlen, grlen, SCALAR),
        bit_int=silent_bit_int(BIT_INT) if reading is None else bit_int_of(16, BIT_INT),
        vector=vector if reading is None else aligned_vector(VECTOR_SIZE),
        enum_clause=ENUM,
        # [lapcs:type.char]
        char_signed=True,
        # gcc extends one wherever it is, and relies on that.
        bit_int_extended=reading is Reading.GCC,
        significant={},
        atomic=(16, grlen),
        told=max(VECTORS),
        strict_alignment=grlen != WIDE_GRLEN,
        unsaid={} if reading is Reading.CLANG else unsaid,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

"""Scalar types of wasm32 (Data Representation): ILP32, and what each is as a wasm value."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import ILP32_SIZES, DataModel, Sized, aligned_vector, silent_vector
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
WIDE = cite("type.int128")
LONG_DOUBLE = cite("type.long-double")
OTHER_REAL = cite("type.other-real")
ENUM = cite("type.enum")
BIT_INT = cite("type.bit-int")
WIDE_BIT_INT = cite("type.bit-int-wide")
VECTOR = cite("type.vector")

QUAD = 16
OTHER_REALS = {Kind.FLOAT16: 2, Kind.BF16: 2, Kind.FLOAT128: QUAD}


@implements("type.bit-int", "type.bit-int-wide")
def bit_int(width: int) -> Sized:
    """The smallest integer type with at least as many bits."""
    for size in (1, 2, 4, 8, QUAD):
        if width <= 8 * size:
            # [wasm:type.bit-int]
            return Sized(size, size, BIT_INT)
    # [wasm:type.bit-int-wide]
    raise SilentError(WIDE_BIT_INT, f"_BitInt({width})")


@implements("type.scalar", "type.char", "type.int128", "type.long-double")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family."""
    # [wasm:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in ILP32_SIZES.items() if kind not in OTHER_REALS}
    # [wasm:type.int128]
    kinds |= {kind: Sized(QUAD, QUAD, WIDE) for kind in (Kind.INT128, Kind.UINT128)}
    # [wasm:type.long-double]
    kinds[Kind.LDOUBLE] = Sized(QUAD, QUAD, LONG_DOUBLE)
    return DataModel(
        kinds=kinds,
        pointer=Sized(4, 4, SCALAR),
        bit_int=bit_int,
        vector=silent_vector(VECTOR) if reading is None else aligned_vector(VECTOR),
        enum_clause=ENUM,
        # [wasm:type.char]
        char_signed=True,
        # [wasm:type.bit-int]
        bit_int_extended=True,
        bit_int_flattened=True,
        significant={},
        atomic=(16, 8),
        unsaid={kind: Sized(size, size, OTHER_REAL) for kind, size in OTHER_REALS.items()},
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.storage-unit"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)

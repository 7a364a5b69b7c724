"""Scalar types of CUDA devices with 64-bit addresses (Writer's Guide, 2.1), as written and as compilers add to it."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import LP64_SIZES, DataModel, Sized, bit_int, silent_bit_int
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet("abiprobe.oracles.abis.ptx.guide").cite
SCALAR = cite("type.fundamental")
ENUM = cite("type.enum")
VECTOR = cite("type.vector")
LARGE_VECTOR = cite("type.large-vector")
BIT_INT = cite("pass.bit-int")
LONG_DOUBLE = cite("dialect.long-double")
UNKNOWN_LONG_DOUBLE = cite("pass.long-double")
SMALLEST_LONG_DOUBLE = 8
"""Bytes that every compiler gives it at least."""
SUPPOSED_LONG_DOUBLE = Sized(SMALLEST_LONG_DOUBLE, SMALLEST_LONG_DOUBLE, UNKNOWN_LONG_DOUBLE)
LARGEST_VECTOR = 16


def vector(size: int, _element: Sized) -> Sized:
    """A vector is aligned to its size; the guide has none of more than 16 bytes."""
    if size > LARGEST_VECTOR:
        raise SilentError(LARGE_VECTOR, f"a vector of {size} bytes")
    return Sized(size, size, VECTOR)


def data_model(*, long_double: int = 0, has_bit_int: bool = False, packs_ms_units: bool = False) -> DataModel:
    """The data model; `long_double` is its size and alignment in bytes, 0 where nobody says."""
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in LP64_SIZES.items()}
    if long_double:
        kinds[Kind.LDOUBLE] = Sized(long_double, long_double, LONG_DOUBLE)
    return DataModel(
        kinds=kinds,
        pointer=Sized(8, 8, SCALAR),
        bit_int=bit_int(8, BIT_INT) if has_bit_int else silent_bit_int(BIT_INT),
        vector=vector,
        enum_clause=ENUM,
        char_signed=True,
        bit_int_extended=False,
        significant={Kind.LDOUBLE: 8} if long_double else {},
        atomic=(0, 0),
        unsaid={} if long_double else {Kind.LDOUBLE: SUPPOSED_LONG_DOUBLE},
        packs_ms_units=packs_ms_units,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("type.bit-field"),
    unnamed_bit_field=cite("type.bit-field"),
    zero_width=cite("type.bit-field"),
)

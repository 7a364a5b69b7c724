"""Scalar types and record layout of m68k (Data Representations)."""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import (
    ILP32_SIZES,
    DataModel,
    Sized,
    aligned_vector,
    silent_bit_int,
    silent_vector,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
LONG_DOUBLE = cite("type.long-double")
OTHER = cite("type.other")
ENUM = cite("type.enum")
RECORD = cite("type.record")
BITS = cite("bits.place")

WORD = 4
ALIGNED = 2
"""Bytes to which nothing is aligned to more."""
UNLISTED = {Kind.BOOL: 1, Kind.LLONG: 8, Kind.ULLONG: 8}
ABSENT = {Kind.FLOAT16, Kind.BF16}
STORED = 12
"""Bytes of the 68881's extended real in memory, as gcc has `long double`."""
HOLE = (2, 4)
"""The first byte of it that holds nothing, and the one behind the last."""
DOUBLE = 8
"""Bytes of `long double` to clang."""
EMPTY = frozenset({*range(*HOLE), *range(STORED + HOLE[0], STORED + HOLE[1])})
"""The bytes of `long double`, and of a complex one, that hold nothing."""
ATOMIC = (ALIGNED, 0)
"""Neither family aligns an atomic type to its size."""


def scalar(size: int, clause: str) -> Sized:
    """A scalar type of `size` bytes."""
    return Sized(size, min(size, ALIGNED), clause)


def unlisted(reading: Reading | None) -> dict[Kind, Sized]:
    """The types that the text has not, or contradicts itself on, as a family has them: clang aligns them to their size."""
    if reading is Reading.CLANG:
        found = {kind: Sized(size, size, OTHER) for kind, size in UNLISTED.items()}
        return found | {Kind.LDOUBLE: Sized(DOUBLE, DOUBLE, LONG_DOUBLE)}
    found = {kind: scalar(size, OTHER) for kind, size in UNLISTED.items()}
    return found | {Kind.LDOUBLE: scalar(STORED, LONG_DOUBLE)}


HOLES = {
    # What only one family has cannot be told by the other.
    None: {Kind.LDOUBLE: EMPTY | set(range(DOUBLE, STORED)) | set(range(2 * DOUBLE, 2 * STORED))},
    Reading.GCC: {Kind.LDOUBLE: EMPTY},
    Reading.CLANG: {},
}


@implements("type.scalar", "type.long-double", "type.other", "type.char", "type.enum")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of a compiler family."""
    # [m68k:type.scalar]
    kinds = {
        kind: scalar(size, SCALAR)
        for kind, size in ILP32_SIZES.items()
        if kind not in UNLISTED and kind not in ABSENT
    }
    # [m68k:type.other] [m68k:type.long-double]
    others = unlisted(reading)
    return DataModel(
        kinds=kinds if reading is None else kinds | others,
        pointer=scalar(WORD, SCALAR),
        # Neither family has bit-precise integers here.
        bit_int=silent_bit_int(OTHER),
        # gcc tells no alignment above 2 of any vector, but aligns each to its size, as clang does.
        vector=silent_vector(OTHER) if reading is None else aligned_vector(OTHER),
        # [m68k:type.enum]
        enum_clause=ENUM,
        open_enums=True,
        # [m68k:type.char]
        char_signed=True,
        bit_int_extended=False,
        significant={},
        holes=HOLES[reading],
        atomic=ATOMIC,
        biggest=ALIGNED,
        order="big",
        unsaid=others if reading is None else {},
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=RECORD,
    union=RECORD,
    bit_field=BITS,
    unnamed_bit_field=BITS,
    zero_width=BITS,
    # GCC, m68k.h: PCC_BITFIELD_TYPE_MATTERS is not set for Linux, and EMPTY_FIELD_BOUNDARY is 16.
    bit_boundary=8 * ALIGNED,
    open_bits=True,
)

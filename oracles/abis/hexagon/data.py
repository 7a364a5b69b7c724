"""Scalar types and record layout of Hexagon (3 Data types).

Source of what compilers do where the text is silent: Clang, lib/Basic/Targets/Hexagon.h.
"""

from __future__ import annotations

from abiprobe.oracles.engine.data_model import (
    ILP32_SIZES,
    DataModel,
    Sized,
    aligned_vector,
    bit_int,
    silent_bit_int,
    silent_vector,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
OTHER = cite("type.other")
ENUM = cite("type.enum")

WORD, DOUBLEWORD = 4, 8
SIZES = {**ILP32_SIZES, Kind.LDOUBLE: DOUBLEWORD}
UNLISTED = {Kind.BOOL, Kind.FLOAT16, Kind.BF16}
ATOMIC = (0, DOUBLEWORD)
"""The text has no atomic types: an answer is given only where the alignment of none is raised."""


def scalar(size: int, clause: str) -> Sized:
    """A scalar type of `size` bytes, aligned to its size."""
    return Sized(size, size, clause)


@implements("type.scalar", "type.other", "type.char", "type.enum")
def data_model(reading: Reading | None) -> DataModel:
    """The data model of the text, or of clang."""
    # [hexagon:type.scalar]
    kinds = {kind: scalar(size, SCALAR) for kind, size in SIZES.items() if kind not in UNLISTED}
    # [hexagon:type.other]
    others = {kind: scalar(SIZES[kind], OTHER) for kind in UNLISTED}
    return DataModel(
        kinds=kinds if reading is None else kinds | others,
        pointer=scalar(WORD, SCALAR),
        bit_int=silent_bit_int(OTHER) if reading is None else bit_int(DOUBLEWORD, OTHER),
        vector=silent_vector(OTHER) if reading is None else aligned_vector(OTHER),
        # [hexagon:type.enum]
        enum_clause=ENUM,
        short_enums=True,
        # [hexagon:type.char]
        char_signed=False,
        bit_int_extended=False,
        significant={},
        atomic=ATOMIC,
        fixed_as_integers=True,
        unsaid=others if reading is None else {},
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.packing"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
    silent_unnamed=True,
)

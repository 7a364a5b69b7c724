"""Types of Windows on AArch64: AAPCS64's with LLP64 and Microsoft's `long double`, and the clauses of its records."""

from __future__ import annotations

from dataclasses import replace

from abiprobe.oracles.abis.aarch64.data import SCALAR
from abiprobe.oracles.abis.aarch64.data import data_model as data_of_arm
from abiprobe.oracles.abis.aarch64.data import vector as short_vector
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD
from abiprobe.oracles.engine.data_model import DataModel, Sized
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.windows_records import layout_clauses, silences, windows_rules
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
LONG = cite("type.long")
LONG_DOUBLE = cite("type.long-double")
ENUM = cite("type.enum")
ENUM_LARGE = cite("type.enum-large")
VECTOR_ELEMENT = cite("type.vector-element")

EMPTY_BYTES = 4
"""The size in bytes that a record without bytes may have where Microsoft's compiler is followed."""


@implements("type.vector-element")
def vector(size: int, element: Sized) -> Sized:
    """A short vector, whose elements have 8 bytes at most."""
    if element.size > DOUBLE_WORD:
        raise SilentError(VECTOR_ELEMENT, f"a vector with elements of {element.size} bytes")
    return short_vector(size, element)


@implements("type.long", "type.long-double", "type.char", "type.enum", "type.enum-large")
def data_model(reading: Reading | None) -> DataModel:
    """The types of the text, or of clang; what it does not speak of is Arm's."""
    data = data_of_arm(reading, "little")
    # [windows_arm64:type.long]
    longs = {kind: Sized(4, 4, LONG) for kind in (Kind.LONG, Kind.ULONG)}
    return replace(
        data,
        # [windows_arm64:type.long-double]
        kinds={**data.kinds, **longs, Kind.LDOUBLE: Sized(8, 8, LONG_DOUBLE)},
        same={Kind.LDOUBLE: Kind.DOUBLE},
        vector=vector if reading is None else data.vector,
        # [windows_arm64:type.char]
        char_signed=True,
        # [windows_arm64:type.enum] [windows_arm64:type.enum-large]
        enum_clause=ENUM,
        int_enums=ENUM_LARGE,
        ms_struct=True,
        empty=cite("record.empty") if reading is None else "",
        least=EMPTY_BYTES,
    )


TEXT, RECORDS = (
    layout_clauses(cite, SCALAR),
    windows_rules(silences(cite, packing=cite("record.packing"), wide=cite("bits.wide"))),
)

"""Types of Windows on i386 (ILP32), with Microsoft's `long double` or that of x87, and the clauses of its records."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.windows_types import TypeClauses, TypeSizes, windows_types
from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, ILP32_SIZES, DataModel
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.windows_records import layout_clauses, silences, windows_rules
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import LayoutOptions

cite, implements = citing(__package__)
TYPES = TypeClauses(
    scalar=cite("type.scalar"),
    pointer=cite("type.pointer"),
    long_double=cite("type.long-double"),
    x87=cite("type.long-double-x87"),
    vector=cite("type.vector"),
    enum=cite("type.enum"),
    enum_gnu=cite("type.enum-gnu"),
    enum_large=cite("type.enum-large"),
    other=cite("type.other"),
    empty=cite("record.empty"),
)
WORD = 4
OTHERS = {kind: ILP32_SIZES[kind] for kind in (Kind.FLOAT16, Kind.BF16)} | {
    Kind.FLOAT128: 16,
    **DECIMAL_SIZES,
}
"""Sizes in bytes that compilers give to types which the tables do not have."""
SIZES = TypeSizes(
    word=WORD,
    kinds={kind: size for kind, size in ILP32_SIZES.items() if kind not in OTHERS},
    others=OTHERS,
    vectors=(16, 32),
    x87=(12, WORD),
    atomic=(16, 8),
)


@implements(
    "type.scalar", "type.long-double", "type.long-double-x87", "type.vector", "type.other",
    "type.enum", "type.enum-gnu", "type.enum-large",
)  # fmt: skip
def data_model(reading: Reading | None, options: LayoutOptions, *, mingw: bool) -> DataModel:
    """The data model of the text, or of a compiler family, for Microsoft's ABI or that of MinGW."""
    return windows_types(TYPES, SIZES, reading, options, mingw=mingw)


LAYOUT = layout_clauses(cite, TYPES.scalar), windows_rules(silences(cite, packing=cite("record.packing")))

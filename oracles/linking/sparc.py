"""SPARC V9 object files: memory model and extensions (SCD 2.4.1, 4P; GNU attributes)."""

from __future__ import annotations

from abiprobe.oracles.linking import gnu
from abiprobe.oracles.linking.field import Field, Flags, Merged, Rules, Same
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "sparc.toml").cite
EM_SPARCV9 = 43
MODEL, V8PLUS, US1, HAL, US3, LITTLE_DATA = 0x3, 0x100, 0x200, 0x400, 0x800, 0x800000
SUN, BOTH_SUN = 1, {US1: 1, US3: 1, US1 | US3: 1}

RULES = Rules(
    fields=(
        Field("memory model", Flags(MODEL), cite("memory-model"), Merged(), {0: "total store order", 1: "partial store order", 2: "relaxed"}),
        Field(
            "processor's extensions", Flags(US1 | HAL | US3, {0: 0, HAL: 2, **BOTH_SUN}), cite("extensions"), Same(free=frozenset({0})),
            {0: "none", SUN: "UltraSPARC", 2: "HAL"},
        ),
        Field("byte order of data", Flags(LITTLE_DATA), cite("flags"), Same(), {0: "big-endian", LITTLE_DATA: "little-endian"}, hidden=True),
        Field("instruction sets needed", gnu.tag(4), gnu.cite("sparc.hardware"), Merged(), bits=True),
        Field("more instruction sets needed", gnu.tag(8), gnu.cite("sparc.hardware"), Merged(), bits=True),
        gnu.TOOLCHAIN,
    ),
    flags_clause=cite("flags"),
    other_flags=V8PLUS,
    tags=(gnu.TAGS,),
)  # fmt: skip

"""PowerPC object files: versions of the ABI, floating point, long double, vectors (ELFv2, ELFv1, EABI, GNU attributes)."""

from __future__ import annotations

from abiprobe.oracles.linking import gnu
from abiprobe.oracles.linking.field import (
    NO_CODE,
    Answer,
    Field,
    First,
    Flags,
    Merged,
    Rules,
    Same,
    Section,
    numbered,
    pairs,
)
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "powerpc.toml").cite
EM_PPC, EM_PPC64 = 20, 21
FLOAT, LONG_DOUBLE = 0x3, 0xC
RELOCATABLE, RELOCATABLE_LIB, EMBEDDED = 0x10000, 0x8000, 0x80000000
DESCRIPTORS = ".opd"
cite("version.opd")
NOT_AFFECTED = 4
VERSION = First(
    (Flags(0x3, {1: 1, 2: 2, 3: 3}), Section(DESCRIPTORS, 1), Section(NO_CODE, NOT_AFFECTED), Flags(0x3))
)

BOTH = (
    Field(
        "floating-point ABI", gnu.tag(4, FLOAT), gnu.cite("power.float"), gnu.UNAFFECTED,
        numbered("not affected", "double-precision hardware", "software", "single-precision hardware"),
    ),
    Field(
        "long double", gnu.tag(4, LONG_DOUBLE), gnu.cite("power.long-double"), gnu.UNAFFECTED,
        {0: "not affected", 0x4: "IBM, 128 bits", 0x8: "64 bits", 0xC: "IEEE, 128 bits"},
    ),
    Field(
        "vectors", gnu.tag(8), gnu.cite("power.vector"),
        Same(free=frozenset({0}), never=pairs((2, 3)), otherwise=Answer.WARNED),
        numbered("not affected", "general registers", "AltiVec registers", "SPE registers"),
    ),
    gnu.TOOLCHAIN,
)  # fmt: skip

RULES32 = Rules(
    fields=(
        *BOTH,
        Field(
            "small structures", gnu.tag(12), gnu.cite("power.struct-return"), gnu.UNAFFECTED,
            numbered("not affected", "returned in r3 and r4", "returned in memory"),
        ),
        Field(
            "relocatable program",
            Flags(RELOCATABLE | RELOCATABLE_LIB),
            cite("relocatable"),
            Same(free=frozenset({RELOCATABLE_LIB}), pairs=pairs((RELOCATABLE, RELOCATABLE | RELOCATABLE_LIB))),
            {0: "no", RELOCATABLE: "yes", RELOCATABLE_LIB: "library for both", RELOCATABLE | RELOCATABLE_LIB: "yes, position-independent"},
        ),
        Field("embedded ABI", Flags(EMBEDDED), cite("embedded"), Merged(), {0: "no", EMBEDDED: "yes"}, hidden=True),
    ),
    flags_clause=cite("relocatable"),
    tags=(gnu.TAGS,),
)  # fmt: skip
RULES64 = Rules(
    fields=(
        Field(
            "ABI", VERSION, cite("version"), Same(free=frozenset({NOT_AFFECTED}), vague=frozenset({0})),
            {0: "not given", 1: "ELFv1", 2: "ELFv2", NOT_AFFECTED: "not affected (no instructions)"},
        ),
        *BOTH,
    ),
    flags_clause=cite("version"),
    tags=(gnu.TAGS,),
)  # fmt: skip

"""MIPS object files: `e_flags`, `.MIPS.abiflags` and GNU attributes (supplement, elf/mips.h, as, FR)."""

from __future__ import annotations

from abiprobe.oracles.linking import gnu
from abiprobe.oracles.linking.field import (
    AbiFlags,
    Answer,
    Class,
    Field,
    First,
    Flags,
    Merged,
    Rules,
    Same,
    numbered,
    pairs,
)
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "mips.toml").cite
EM_MIPS = 8
ABI, N32, O32, O64, EABI32, EABI64 = 0xF020, 0x20, 0x1000, 0x2000, 0x3000, 0x4000
N64 = 1
PIC, CPIC, FP64, NAN2008 = 0x2, 0x4, 0x200, 0x400
NOREORDER, XGOT, UCODE, OPTIONS_FIRST, MODE32 = 0x1, 0x8, 0x10, 0x80, 0x100
ARCHITECTURE, MACHINE, EXTENSIONS = 0xF0000000, 0x00FF0000, 0x0F000000
LEVELS = (
    "MIPS I", "MIPS II", "MIPS III", "MIPS IV", "MIPS V", "MIPS32", "MIPS64", "MIPS32 release 2", "MIPS64 release 2",
    "MIPS32 release 6", "MIPS64 release 6",
)  # fmt: skip
RELEASE_6 = (9, 10)
SOFT, DOUBLE, FP64_ABI = 3, 1, 6
ABI_PLACE = First(
    (Flags(ABI, {value: value for value in (N32, O32, O64, EABI32, EABI64)}), Class({64: N64}), Flags(ABI))
)
FLOAT_PLACE = First((AbiFlags("fp_abi"), gnu.tag(4)))

RULES = Rules(
    fields=(
        Field(
            "ABI", ABI_PLACE, cite("abi"), Same(vague=frozenset({0})),
            {0: "not given", N32: "n32", N64: "n64", O32: "o32", O64: "o64", EABI32: "eabi32", EABI64: "eabi64"},
        ),
        Field(
            "floating-point ABI", FLOAT_PLACE, gnu.cite("mips.float"),
            Same(
                free=frozenset({0}), pairs=pairs((1, 5), (1, 7), (5, 6), (5, 7), (6, 7)), never=pairs((1, 6)),
                otherwise=Answer.WARNED,
            ),
            numbered("not affected", "double precision", "single precision", "software", "64-bit registers, old", "double precision, either width",
                     "64-bit registers", "64-bit registers, no odd singles"),
        ),
        Field("NaN encoding", Flags(NAN2008), cite("nan"), Same(), {0: "legacy", NAN2008: "IEEE 754-2008"}),
        Field("64-bit floating-point registers", Flags(FP64), cite("fp64"), Merged(), {0: "not marked", FP64: "marked"}, hidden=True),
        Field(
            "calls of position-independent code", Flags(PIC | CPIC, {0: 0, PIC: 1, CPIC: 1, PIC | CPIC: 1}), cite("pic"),
            Same(otherwise=Answer.WARNED), numbered("no", "yes"),
        ),
        Field("vectors", gnu.tag(8), gnu.cite("mips.vector"), gnu.UNAFFECTED, numbered("not affected", "MSA, 128 bits")),
        Field(
            "release 6", Flags(ARCHITECTURE, {level << 28: level in RELEASE_6 for level in range(len(LEVELS))}), cite("release-6"), Same(),
            numbered("no", "yes"), hidden=True,
        ),
        Field(
            "architecture", Flags(ARCHITECTURE), cite("architecture"), Merged(),
            {level << 28: name for level, name in enumerate(LEVELS)},
        ),
        Field(
            "processor", Flags(MACHINE), cite("machine"), Same(free=frozenset({0}), otherwise=Answer.UNKNOWN),
        ),
        Field("extension of a processor", AbiFlags("isa_ext", silent=0), cite("machine"), Same(free=frozenset({0}), otherwise=Answer.UNKNOWN)),
        Field(
            "extensions", Flags(EXTENSIONS), cite("extensions"), Merged(),
            {0x02000000: "microMIPS", 0x04000000: "MIPS16", 0x08000000: "MDMX"}, bits=True,
        ),
        Field("application-specific extensions", AbiFlags("ases", silent=0), cite("extensions"), Merged(), hidden=True),
        gnu.TOOLCHAIN,
    ),
    flags_clause=cite("flags"),
    other_flags=NOREORDER | XGOT | UCODE | OPTIONS_FIRST | MODE32,
    tags=(gnu.TAGS,),
)  # fmt: skip

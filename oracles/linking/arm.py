"""Arm object files: build attributes and `e_flags` (ADD32, Public "aeabi" attribute tags; AAELF32, ELF Header)."""

from __future__ import annotations

from collections.abc import Mapping

from abiprobe.oracles.linking.field import (
    Answer,
    Attribute,
    Field,
    First,
    Flags,
    Merged,
    Rules,
    Same,
    Tags,
    numbered,
    pairs,
)
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "arm.toml").cite
EM_ARM = 40
VERSION = 0xFF000000
FLOAT_HARD, FLOAT_SOFT, BE8, GCC = 0x400, 0x200, 0x00800000, 0x00400FFF
SCOPES, DEFAULTS, ALIGN, STATIC_BASE = cite("scopes"), cite("defaults"), cite("align"), cite("static-base")
ANYTHING = Merged()


def tag(number: int) -> Attribute:
    """A public tag; one that is left out is 0, unless there is no public subsection."""
    return Attribute("aeabi", number)


def text(number: int) -> Attribute:
    """A public tag with a string."""
    return Attribute("aeabi", number, missing=None)


NO_FLOATS = (tag(23), 0)
NEEDED, PRESERVED, R9, RW_DATA = tag(24), tag(25), tag(14), tag(15)
BASE, VFP = 0, 1
ARGUMENTS = First(
    (tag(28), Flags(FLOAT_HARD | FLOAT_SOFT, {0: BASE, FLOAT_SOFT: BASE, FLOAT_HARD: VFP}, shared=True))
)
ARCHITECTURES = numbered(
    "before v4", "v4", "v4T", "v5T", "v5TE", "v5TEJ", "v6", "v6KZ", "v6T2", "v6K", "v7", "v6-M", "v6S-M", "v7E-M", "v8-A",
    "v8-R", "v8-M.baseline", "v8-M.mainline", "v8.1-A", "v8.2-A", "v8.3-A", "v8.1-M.mainline", "v9-A",
)  # fmt: skip
PROFILES: Mapping[int, str] = {
    0: "any",
    0x41: "application",
    0x4D: "microcontroller",
    0x52: "real-time",
    0x53: "application or real-time",
}
PROFILE_OF = {
    14: 0x41, 15: 0x52, 16: 0x4D, 17: 0x4D, 18: 0x41, 19: 0x41, 20: 0x41, 21: 0x4D, 22: 0x41,
}  # fmt: skip
ALIGNMENTS = {
    0: "none",
    1: "8 bytes",
    2: "4 bytes of 8-byte data",
    **{power: f"8 bytes, and up to {2**power}" for power in range(4, 13)},
}
PRESERVES = {
    0: "none",
    1: "8 bytes",
    2: "8 bytes, also of the stack pointer everywhere",
    **{power: f"8 bytes, and up to {2**power}" for power in range(4, 13)},
}
NO_OR_YES = numbered("no", "yes")

CALLS = (
    Field(
        "floating-point arguments", ARGUMENTS, cite("vfp-args"), Same(free=frozenset({3}), vague=frozenset({2})),
        numbered("base variant of AAPCS32 (core registers)", "VFP variant of AAPCS32", "a toolchain's own", "none, goes with both variants"),
        unless=NO_FLOATS,
    ),
    Field(
        "WMMX arguments", tag(29), cite("wmmx-args"), Same(vague=frozenset({2})),
        numbered("base variant", "Intel's convention", "a toolchain's own"),
    ),
    Field(
        "size of wchar_t", tag(18), cite("wchar"), Same(free=frozenset({0}), otherwise=Answer.WARNED),
        {0: "not used", 2: "2 bytes", 4: "4 bytes"},
    ),
    Field(
        "size of enumerations", tag(26), cite("enum"),
        Same(free=frozenset({0}), pairs=pairs((1, 3), (2, 3)), otherwise=Answer.WARNED),
        numbered("not used", "smallest container", "32 bits", "each in an interface needs 32 bits"),
    ),
    Field("16-bit floating-point format", tag(38), cite("fp16"), Same(free=frozenset({0})), numbered("not used", "IEEE 754", "alternative")),
    Field(
        "use of r9", R9, cite("r9"), Same(free=frozenset({3})),
        numbered("callee-saved register", "static base", "thread pointer", "none"),
    ),
    Field(
        "configuration", tag(13), cite("pcs-config"), Same(free=frozenset({0}), otherwise=Answer.WARNED),
        numbered("none named", "bare platform", "Linux application", "Linux DSO", "Palm OS 2004", "reserved to Palm OS", "Symbian OS 2004",
                 "reserved to Symbian OS"),
    ),
    Field("alignment needed", NEEDED, ALIGN, ANYTHING, ALIGNMENTS),
    Field("alignment preserved", PRESERVED, ALIGN, ANYTHING, PRESERVES),
    Field(
        "addressing of writable data", RW_DATA, cite("static-data"), ANYTHING,
        numbered("absolute", "relative to the pc", "relative to the static base", "no such data"),
    ),
    Field("addressing of constants", tag(16), cite("static-data"), ANYTHING, numbered("absolute", "relative to the pc", "no such data")),
    Field("imported data", tag(17), cite("got"), ANYTHING, numbered("none", "addressed directly", "addressed through a table")),
    Field(
        "floating-point numbers", tag(23), cite("number-model"), ANYTHING,
        numbered("none", "normal ones", "numbers, infinities and one quiet NaN", "all of IEEE 754"),
    ),
    Field("rounding at run time", tag(19), cite("fp-model"), ANYTHING, NO_OR_YES),
    Field("denormal numbers", tag(20), cite("fp-model"), ANYTHING, numbered("may be flushed", "needed", "sign of zero needed")),
    Field("inexact exception", tag(21), cite("fp-model"), ANYTHING, NO_OR_YES),
    Field("user exceptions", tag(22), cite("fp-model"), ANYTHING, NO_OR_YES),
    Field(
        "floating-point hardware used", tag(27), cite("hard-fp"), ANYTHING,
        {0: "as the architecture says", 1: "single precision", 3: "as the architecture says"},
    ),
)  # fmt: skip
"""Attributes that callers and callees must agree upon."""

TARGET = cite("target")
PROCESSOR = (
    Field("processor", text(5), TARGET, ANYTHING),
    Field("processor as named", text(4), TARGET, ANYTHING),
    Field("architecture", tag(6), TARGET, ANYTHING, ARCHITECTURES),
    Field(
        "profile",
        First((Attribute("aeabi", 7, meaning={value: value for value in PROFILES if value}), Attribute("aeabi", 6, meaning=PROFILE_OF), tag(7))),
        cite("profile"), Same(free=frozenset({0}), pairs=pairs((0x53, 0x41), (0x53, 0x52))), PROFILES,
    ),
    Field("Arm instructions", tag(8), TARGET, ANYTHING, NO_OR_YES),
    Field("Thumb instructions", tag(9), TARGET, ANYTHING, numbered("no", "16-bit", "32-bit", "yes")),
    Field(
        "floating-point instructions", tag(10), TARGET, ANYTHING,
        numbered("none", "v1", "v2", "v3", "v3, 16 registers", "v4", "v4, 16 registers", "v8-A", "v8-A, 16 registers"),
    ),
    Field("WMMX", tag(11), TARGET, ANYTHING, numbered("none", "v1", "v2")),
    Field("Advanced SIMD", tag(12), TARGET, ANYTHING, numbered("none", "v1", "v2", "v8-A", "v8.1-A")),
    Field("MVE", tag(48), TARGET, ANYTHING, numbered("none", "integer", "integer and floating-point")),
    Field("half-precision instructions", tag(36), TARGET, ANYTHING, numbered("as the architecture says", "of VFPv3", "of v8.2-A")),
    Field("unaligned accesses", tag(34), TARGET, ANYTHING, numbered("none", "as in v6")),
    Field("T2EE", tag(66), TARGET, ANYTHING, NO_OR_YES),
    Field("virtualization", tag(68), TARGET, ANYTHING, numbered("none", "TrustZone", "virtualization", "both")),
    Field("multiprocessing extension", tag(42), TARGET, ANYTHING, NO_OR_YES),
    Field("multiprocessing extension, old tag", tag(70), TARGET, ANYTHING, NO_OR_YES, hidden=True),
    Field("division", tag(44), TARGET, ANYTHING, numbered("as the architecture says", "not permitted", "permitted")),
    Field("DSP", tag(46), TARGET, ANYTHING, numbered("as the architecture says", "permitted")),
    Field("pointer authentication", tag(50), TARGET, ANYTHING, numbered("none", "as hints", "all")),
    Field("branch targets", tag(52), TARGET, ANYTHING, numbered("none", "as hints", "all")),
)  # fmt: skip
"""Attributes that say what the processor must have."""

GOALS = numbered(
    "none", "speed", "speed above all", "size", "size above all", "debugging", "debugging above all"
)
FP_GOALS = numbered(
    "none", "speed", "speed above all", "size", "size above all", "accuracy", "accuracy above all"
)
OTHER = (
    Field("optimisation", tag(30), cite("goals"), ANYTHING, GOALS, hidden=True),
    Field("optimisation of floating point", tag(31), cite("goals"), ANYTHING, FP_GOALS, hidden=True),
    Field("toolchain needed", tag(32), cite("compatibility"), Same(), {0: "none"}, hidden=True),
    Field(
        "ABI version", Flags(VERSION), cite("flags.version"), Same(vague=frozenset({0})),
        {0: "unknown", **{number << 24: str(number) for number in range(1, 6)}},
    ),
)  # fmt: skip

RULES = Rules(
    fields=(*CALLS, *PROCESSOR, *OTHER),
    flags_clause=cite("flags"),
    other_flags=FLOAT_HARD | FLOAT_SOFT | BE8,
    tags=(Tags("aeabi", cite("tags"), optional=range(64, 128)),),
)
PRIVATE, FLOAT_FLAGS = cite("private"), cite("flags.float")

"""i386 and x86-64 object files: program properties (psABI, Program Property)."""

from __future__ import annotations

from abiprobe.oracles.linking.field import Common, Field, Merged, Property, Rules
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "x86.toml").cite
EM_386, EM_X86_64 = 3, 62
FEATURE_1_AND, FEATURE_2_NEEDED, ISA_1_NEEDED = 0xC0000002, 0xC0008001, 0xC0008002
FEATURE_2_USED, ISA_1_USED = 0xC0010001, 0xC0010002
LEVELS = {0x1: "baseline", 0x2: "v2", 0x4: "v3", 0x8: "v4"}
STATES = {
    0x1: "x86", 0x2: "x87", 0x4: "MMX", 0x8: "XMM", 0x10: "YMM", 0x20: "ZMM", 0x40: "FXSR", 0x80: "XSAVE", 0x100: "XSAVEOPT",
    0x200: "XSAVEC", 0x400: "TMM", 0x800: "MASK",
}  # fmt: skip

RULES = Rules(
    fields=(
        Field("indirect branch tracking", Property(FEATURE_1_AND, 0x1), cite("features"), Common(), {0x1: "yes"}, bits=True),
        Field("shadow stack", Property(FEATURE_1_AND, 0x2), cite("features"), Common(), {0x2: "yes"}, bits=True),
        Field(
            "linear address masking", Property(FEATURE_1_AND, ~0x3), cite("features"), Common(), {0x4: "48 bits", 0x8: "57 bits"}, bits=True,
        ),
        Field("instruction sets needed", Property(ISA_1_NEEDED), cite("needed"), Merged(), LEVELS, bits=True),
        Field("instruction sets used", Property(ISA_1_USED), cite("used"), Merged(), LEVELS, bits=True),
        Field("processor state needed", Property(FEATURE_2_NEEDED), cite("needed"), Merged(), STATES, bits=True),
        Field("processor state used", Property(FEATURE_2_USED), cite("used"), Merged(), STATES, bits=True),
    ),
    flags_clause=cite("flags"),
)  # fmt: skip

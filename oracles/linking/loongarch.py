"""LoongArch object files: base ABI and version of the object ABI (laelf, ELF Header)."""

from __future__ import annotations

from abiprobe.oracles.linking.field import Answer, Field, Flags, Rules, Same
from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "loongarch.toml").cite
EM_LOONGARCH = 258
BASE, EXTENSION, VERSION = 0x7, 0x38, 0xC0

RULES = Rules(
    fields=(
        Field(
            "floating-point ABI", Flags(BASE), cite("base-abi"), Same(),
            {1: "s (general registers)", 2: "f (32-bit registers)", 3: "d (64-bit registers)"},
        ),
        Field("extension of the ABI", Flags(EXTENSION), cite("extension"), Same(), {0: "none"}, hidden=True),
        Field("version of the object ABI", Flags(VERSION), cite("version"), Same(otherwise=Answer.UNKNOWN), {0: "v0", 0x40: "v1"}),
    ),
    flags_clause=cite("flags"),
)  # fmt: skip

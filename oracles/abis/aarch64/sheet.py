"""The clause sheet of the Procedure Call Standard for the Arm 64-bit Architecture."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.aarch64", "aapcs64")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of Windows on Arm's 64-bit processors; what it does not speak of is in the sheet `aapcs64`."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.aarch64.windows", "windows_arm64")
cite = SHEET.cite
implements = SHEET.implements

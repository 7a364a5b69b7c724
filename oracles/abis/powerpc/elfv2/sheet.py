"""The clause sheet of the 64-bit ELF V2 ABI of Power."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.powerpc.elfv2", "elfv2")
cite = SHEET.cite
implements = SHEET.implements

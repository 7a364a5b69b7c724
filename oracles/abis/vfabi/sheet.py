"""The clause sheet of the vector function ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.vfabi", "vfabi")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of the 64-bit ABI of SPARC."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.sparc", "scd")
cite = SHEET.cite
implements = SHEET.implements

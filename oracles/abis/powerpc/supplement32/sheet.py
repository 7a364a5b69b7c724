"""The clause sheet of the 32-bit ABI supplement of the Power Architecture."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.powerpc.supplement32", "ppc32")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of the Colossus IPU ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.ipu", "ipu")
cite = SHEET.cite
implements = SHEET.implements

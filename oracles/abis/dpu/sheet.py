"""The clause sheet of the UPMEM DPU ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.dpu", "dpu")
cite = SHEET.cite
implements = SHEET.implements

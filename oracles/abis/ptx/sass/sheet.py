"""The clause sheet of the physical ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.ptx.sass", "ptx_sass")
cite = SHEET.cite
implements = SHEET.implements

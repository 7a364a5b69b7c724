"""The clause sheet of the Writer's Guide."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.ptx.guide", "ptx_guide")
cite = SHEET.cite
implements = SHEET.implements

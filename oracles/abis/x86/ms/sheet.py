"""The clause sheet of Microsoft's x64 calling convention."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.x86.ms", "ms")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of types and records on Windows for x64; calls are those of the sheet `ms`."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.x86.windows", "windows")
cite = SHEET.cite
implements = SHEET.implements

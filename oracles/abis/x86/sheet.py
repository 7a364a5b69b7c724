"""The clause sheet of the AMD64 psABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.x86", "x86_64")
cite = SHEET.cite
implements = SHEET.implements

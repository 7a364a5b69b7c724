"""The clause sheet of the LoongArch procedure call standard."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.loongarch", "lapcs")
cite = SHEET.cite
implements = SHEET.implements

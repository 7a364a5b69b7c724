"""The clause sheet of the Intel386 psABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.x86.i386", "i386")
cite = SHEET.cite
implements = SHEET.implements

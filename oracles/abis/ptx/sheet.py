"""The clause sheet of the PTX ISA's chapter on the ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.ptx", "ptx")
cite = SHEET.cite
implements = SHEET.implements

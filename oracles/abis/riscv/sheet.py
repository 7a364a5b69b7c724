"""The clause sheet of the RISC-V ABIs Specification."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.riscv", "riscv")
cite = SHEET.cite
implements = SHEET.implements

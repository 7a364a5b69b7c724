"""The clause sheet of ISA strings, named ABIs, object headers and code models."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.riscv.isa", "riscv_isa")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of the ELF ABI s390x supplement."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.s390x", "lzsabi")
cite = SHEET.cite
implements = SHEET.implements

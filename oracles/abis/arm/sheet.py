"""The clause sheet of the Procedure Call Standard for the Arm Architecture."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.arm", "aapcs32")
cite = SHEET.cite
implements = SHEET.implements

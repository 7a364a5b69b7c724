"""The clause sheet of Apple's departures from AAPCS64; what it does not speak of is in the sheet `aapcs64`."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.aarch64.darwin", "darwin")
cite = SHEET.cite
implements = SHEET.implements

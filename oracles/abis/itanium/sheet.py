"""The clause sheet of the Itanium C++ ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.itanium", "cxxabi")
cite = SHEET.cite
implements = SHEET.implements

"""The clause sheet of WebAssembly's basic C ABI."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.wasm", "wasm")
cite = SHEET.cite
implements = SHEET.implements

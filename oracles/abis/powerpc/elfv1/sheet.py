"""The clause sheet of the 64-bit PowerPC ELF ABI supplement, which later became known as ELFv1."""

from __future__ import annotations

from abiprobe.oracles.clause import load_sheet

SHEET = load_sheet("abiprobe.oracles.abis.powerpc.elfv1", "elfv1")
cite = SHEET.cite
implements = SHEET.implements

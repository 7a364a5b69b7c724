"""Arm object files: what more than one build attribute decides (ADD32)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Finding, Trouble
from abiprobe.harness.machines.elf_facts.values import value_of
from abiprobe.oracles.linking import arm
from abiprobe.oracles.linking.field import Answer

SB_RELATIVE, STATIC_BASE = 2, 1
FOUR_BYTES = 2
NONE = 0


def findings(one: ObjectFile, other: ObjectFile) -> Iterator[Finding]:
    """Alignments that one file depends on and the other does not preserve."""
    for needing, preserving in ((one, other), (other, one)):
        needed, preserved = value_of(arm.NEEDED, needing), value_of(arm.PRESERVED, preserving)
        if isinstance(needed, int) and isinstance(preserved, int) and bytes_of(needed) > bytes_of(preserved):
            why = f"{needing.path} depends on an alignment ({arm.ALIGNMENTS.get(needed, needed)}) that {preserving.path} does not preserve"
            yield Finding(Answer.WARNED, f"{why} ({arm.PRESERVES.get(preserved, preserved)})", arm.ALIGN)


def bytes_of(value: int) -> int:
    """The alignment of 8-byte data and more, in bytes; 0 where there is none to preserve."""
    if value in {NONE, FOUR_BYTES}:
        return 8 if value else 0
    return 8 if value == 1 else 1 << min(value, 12)


def troubles(found: ObjectFile) -> Iterator[Trouble]:
    """Yield the violations of the document in an Arm file."""
    if value_of(arm.RW_DATA, found) == SB_RELATIVE and value_of(arm.R9, found) != STATIC_BASE:
        yield Trouble("data is addressed from the static base, and r9 is none", arm.STATIC_BASE)

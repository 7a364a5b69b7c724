"""RISC-V object files: named ABI, instruction set, stack alignment (RISC-V ELF psABI)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Fact, Trouble
from abiprobe.oracles.abis.riscv.isa.header import FLOAT_ABI, RVC, RVE, TSO
from abiprobe.oracles.abis.riscv.isa.sheet import cite

FLAGS, STACK_ALIGN, ARCH, CLASS = (
    cite(name) for name in ("object.flags", "object.stack-align", "object.arch", "object.class")
)
FLOAT_BITS = 0x6
KNOWN = FLOAT_BITS | RVC | RVE | TSO
SUFFIXES = {0: "", 32: "f", 64: "d", 128: "q"}
STACK_TAG, ARCH_TAG = "TAG_STACK_ALIGN", "TAG_ARCH"


def facts(found: ObjectFile) -> Iterator[Fact]:
    """What a RISC-V file says of its ABI."""
    yield Fact("ABI", named_abi(found), FLAGS)
    for name, bit in (("RVC", RVC), ("TSO", TSO)):
        if found.flags & bit:
            yield Fact("flags", name, FLAGS)
    for label, tag, clause in (
        ("instruction set", ARCH_TAG, ARCH),
        ("stack alignment, bytes", STACK_TAG, STACK_ALIGN),
    ):
        if tag in found.attributes:
            yield Fact(label, str(found.attributes[tag]), clause)


def named_abi(found: ObjectFile) -> str:
    """The ABI that class and flags give."""
    base = "ilp32" if found.elf_class == 32 else "lp64"
    widths = {flag: width for width, flag in FLOAT_ABI.items()}
    return base + ("e" if found.flags & RVE else SUFFIXES[widths[found.flags & FLOAT_BITS]])


def troubles(found: ObjectFile) -> Iterator[Trouble]:
    """What the document does not allow in a RISC-V file."""
    if not found.little_endian:
        yield Trouble("its bytes are big-endian", CLASS)
    unknown = found.flags & ~KNOWN
    if unknown:
        yield Trouble(f"bits {unknown:#x} of e_flags have no meaning", FLAGS)


def refusals(one: ObjectFile, other: ObjectFile) -> Iterator[Trouble]:
    """Why two RISC-V files may not be linked together: their calls would not meet."""
    if named_abi(one) != named_abi(other):
        yield Trouble(f"their ABIs differ: {named_abi(one)} and {named_abi(other)}", FLAGS)
    stacks = one.attributes.get(STACK_TAG), other.attributes.get(STACK_TAG)
    if None not in stacks and stacks[0] != stacks[1]:
        yield Trouble(f"their stack alignments differ: {stacks[0]} and {stacks[1]} bytes", STACK_ALIGN)

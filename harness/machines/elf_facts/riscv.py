"""RISC-V object files: named ABI and instruction set (RISC-V ELF psABI)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Fact, Finding, Trouble
from abiprobe.harness.machines.elf_facts.values import value_of
from abiprobe.oracles.abis.riscv.isa.extensions import closure
from abiprobe.oracles.abis.riscv.isa.header import FLOAT_ABI, RVC, RVE, TSO
from abiprobe.oracles.abis.riscv.isa.march import impossible
from abiprobe.oracles.abis.riscv.isa.written import Refused, Written, take_apart
from abiprobe.oracles.linking.field import Answer
from abiprobe.oracles.linking.riscv import ARCH, ARCH_STRING, CLASS, FLAGS

FLOAT_BITS = 0x6
KNOWN = FLOAT_BITS | RVC | RVE | TSO
SUFFIXES = {0: "", 32: "f", 64: "d", 128: "q"}


def facts(found: ObjectFile) -> Iterator[Fact]:
    """The named ABI of a RISC-V file."""
    yield Fact("ABI", named_abi(found), FLAGS)


def named_abi(found: ObjectFile) -> str:
    """The ABI that class and flags give."""
    base = "ilp32" if found.elf_class == 32 else "lp64"
    widths = {flag: width for width, flag in FLOAT_ABI.items()}
    return base + ("e" if found.flags & RVE else SUFFIXES[widths[found.flags & FLOAT_BITS]])


def troubles(found: ObjectFile) -> Iterator[Trouble]:
    """Yield the violations of the document in a RISC-V file."""
    if not found.little_endian:
        yield Trouble("its bytes are big-endian", CLASS)
    unknown = found.flags & ~KNOWN
    if unknown:
        yield Trouble(f"bits {unknown:#x} of e_flags have no meaning", FLAGS)


def findings(one: ObjectFile, other: ObjectFile) -> Iterator[Finding]:
    """Yield the reasons why two files' instruction sets cannot be combined: the output needs the extensions of both."""
    texts = [value_of(ARCH_STRING, each) for each in (one, other)]
    written = [take_apart(text) for text in texts if isinstance(text, str)]
    good = [each for each in written if isinstance(each, Written)]
    for found, text in zip((one, other), texts, strict=True):
        if isinstance(text, str) and isinstance(take_apart(text), Refused):
            yield Finding(Answer.UNKNOWN, f"{found.path}: {text} is no instruction set", ARCH)
    if len(good) == 2 and texts[0] != texts[1]:
        yield from _conflicts(*good)


def _conflicts(one: Written, other: Written) -> Iterator[Finding]:
    named = frozenset(each.name for written in (one, other) for each in written.extensions)
    fault = impossible(one.xlen, one.base, closure(one.xlen, named))
    if isinstance(fault, Refused):
        yield Finding(Answer.REFUSED, f"instruction sets: {fault.why}", ARCH)
    elif fault is not None:
        yield Finding(Answer.UNKNOWN, f"instruction sets: {fault.why}", ARCH)

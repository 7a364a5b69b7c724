"""DPU object files: ABI version, relocations, instructions and memories (UPMEM DPU ABI)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abiprobe.harness.machines.elf_facts.elf import ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Fact, Finding, Trouble
from abiprobe.oracles.abis.dpu import elf
from abiprobe.oracles.linking.field import Answer


def facts(found: ObjectFile) -> Iterator[Fact]:
    """Yield the facts of a DPU file about its ABI."""
    version = elf.abi_version(found.flags)
    yield Fact("ABI version", "none given" if version is None else str(version), elf.VERSION)
    for number, count in found.relocations.items():
        yield Fact("relocations", f"{count} {relocation(number)} ({number})", elf.RELOCATION)
    for name, size in found.code.items():
        held = f"{name}: {size // elf.FILE_INSTRUCTION_BYTES} instructions, {size} bytes here"
        inside = size // elf.FILE_INSTRUCTION_BYTES * elf.INSTRUCTION_BYTES
        yield Fact("instructions", f"{held}, {inside} in the IRAM", elf.INSTRUCTION)
    memories = Counter(elf.memory_of(symbol.value).name for symbol in found.symbols if not symbol.relative)
    for name, count in sorted(memories.items()):
        yield Fact("symbols", f"{count} in the address range of {name}", elf.ADDRESS)


def relocation(number: int) -> str:
    """The name of a relocation."""
    return elf.RELOCATIONS.get(number, "unknown")


def troubles(found: ObjectFile) -> Iterator[Trouble]:
    """Yield the violations of the document in a DPU file."""
    if found.elf_class != elf.ELF_CLASS or not found.little_endian:
        order = "little" if found.little_endian else "big"
        yield Trouble(f"it is a {found.elf_class}-bit {order}-endian ELF file", elf.HEADER)
    if found.os_abi != elf.OS_ABI:
        yield Trouble(f"EI_OSABI is {found.os_abi}, not {elf.OS_ABI}", elf.HEADER)
    version = elf.abi_version(found.flags)
    if version is None:
        yield Trouble("bit 23 of e_flags is clear: the file gives no ABI version", elf.VERSION)
    elif version != elf.ABI_VERSION:
        yield Trouble(f"its ABI version is {version}, the current one is {elf.ABI_VERSION}", elf.VERSION)
    for number in found.relocations:
        if number not in elf.RELOCATIONS:
            yield Trouble(f"no relocation has the number {number}", elf.RELOCATION)
    yield from code_troubles(found)


def code_troubles(found: ObjectFile) -> Iterator[Trouble]:
    """Sections of instructions that are no whole number of them, or more than an IRAM holds."""
    for name, size in found.code.items():
        if size % elf.FILE_INSTRUCTION_BYTES:
            yield Trouble(f"{name} has {size} bytes, no whole number of instructions", elf.INSTRUCTION)
    instructions = sum(found.code.values()) // elf.FILE_INSTRUCTION_BYTES
    for processor, room in elf.IRAM_INSTRUCTIONS.items():
        if instructions > room:
            yield Trouble(
                f"its {instructions} instructions do not fit the IRAM of a {processor}, which holds {room}",
                elf.INSTRUCTION,
            )


def findings(one: ObjectFile, other: ObjectFile) -> Iterator[Finding]:
    """Yield the reasons why two DPU files may not be linked together."""
    versions = [elf.abi_version(each.flags) for each in (one, other)]
    if versions[0] != versions[1]:
        shown = ("none" if version is None else str(version) for version in versions)
        yield Finding(Answer.REFUSED, f"ABI version: {' and '.join(shown)}", elf.LINK)

"""ELF header and attributes of real objects against what the text says of their instruction set and ABI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import RISCVAttributesSection

from abiprobe.harness.base import child
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.march.toolchains import SECONDS, Judge
from abiprobe.oracles.abis.riscv.isa import ABIS, Header, Isa, header, parse_march, supports

MARCHES = (
    "rv32e", "rv32ec", "rv32ef", "rv32i", "rv32ic", "rv32imac", "rv32if", "rv32imafc", "rv32g", "rv32gc",
    "rv64i", "rv64ic", "rv64imac", "rv64if", "rv64g", "rv64gc", "rv64iq", "rv64gcv", "rv64gc_zba_zbb_zbs",
    "rv64i_zkn_zks", "rv64gc_ztso", "rv64i_zca", "rv32i_zfinx", "rv64im_zvl128b_zve32x",
)  # fmt: skip
"""Strings whose header bits, implications and shorthands differ."""
TAG_STACK_ALIGN = "TAG_STACK_ALIGN"
TAG_ARCH = "TAG_ARCH"


class Compared(msgspec.Struct, frozen=True):
    """One object: `differences` names the fields that are not as the text has them, with both values."""

    judge: str
    march: str
    abi: str
    differences: tuple[str, ...]


def probe_objects(judge: Judge, marches: Sequence[str] = MARCHES) -> Iterator[Compared]:
    """An object for every ABI that the text and the tool accept with each string."""
    for text in marches:
        march = parse_march(text)
        assert isinstance(march, Isa), text
        for abi in ABIS.values():
            found = None if supports(march, abi) else build(judge, text, abi.name)
            if found is not None:
                yield Compared(judge.name, text, abi.name, tuple(differences(header(march, abi), found)))


def build(judge: Judge, march: str, abi: str) -> Header | None:
    """The header of an empty function compiled for a pair; `None` if the tool refuses it."""
    with temporary() as folder:
        source, output = Path(folder, "empty.c"), Path(folder, "empty.o")
        source.write_text("void f(void) {}\n", "utf-8")
        words = (
            *judge.compiler(march),
            f"-march={march}",
            f"-mabi={abi}",
            "-c",
            str(source),
            "-o",
            str(output),
        )
        done = child.run(words, timeout=SECONDS, scratch=Path(folder))
        return read_header(output) if done.ok else None


def read_header(path: Path) -> Header:
    """ELF class, machine, flags, and the attributes of the file."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        section = elf.get_section_by_name(".riscv.attributes")
        tags = {}
        if isinstance(section, RISCVAttributesSection):
            for part in section.iter_subsections():
                for group in part.iter_subsubsections():
                    tags.update({each.tag: each.value for each in group.iter_attributes()})
        machine = elf.header["e_machine"]
        return Header(
            elf.elfclass,
            243 if machine == "EM_RISCV" else -1,
            elf.header["e_flags"],
            tags.get(TAG_STACK_ALIGN, 0),
            tags.get(TAG_ARCH, ""),
        )


def differences(wanted: Header, found: Header) -> Iterator[str]:
    """Each field that differs; of ISA strings, what one has beyond the other, or their order."""
    for name in ("elf_class", "machine", "flags", "stack_align"):
        ours, theirs = getattr(wanted, name), getattr(found, name)
        if ours != theirs:
            yield f"{name}: text {ours:#x}, object {theirs:#x}"
    ours, theirs = wanted.arch.split("_"), found.arch.split("_")
    missing = [part for part in ours if part not in theirs]
    beyond = [part for part in theirs if part not in ours]
    if missing or beyond:
        yield f"arch: lacks {' '.join(missing) or 'nothing'}, has beyond {' '.join(beyond) or 'nothing'}"
    elif ours != theirs:
        yield f"arch order: text {wanted.arch}, object {found.arch}"

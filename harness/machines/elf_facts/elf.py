"""An ELF file, as far as its ABI goes."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import RISCVAttributesSection, SymbolTableSection

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.readers.elf import MAGIC

KINDS = {1: "relocatable", 2: "executable", 3: "shared object"}
MACHINE_AT = 18
EXECUTABLE = 0x4
UNDEFINED, RESERVED = 0, 0xFF00


class Symbol(msgspec.Struct, frozen=True):
    """A symbol that the file defines: its name and value; `relative` says that the value counts from its section."""

    name: str
    value: int
    relative: bool


class ObjectFile(msgspec.Struct, frozen=True):
    """What an ELF file says of its ABI. `elf_class` in bits.

    `relocations` counts them by number; `code` gives the size in bytes of each section of instructions by name;
    `attributes` are those of RISC-V, by tag.
    """

    path: str
    elf_class: int
    little_endian: bool
    machine: int
    os_abi: int
    kind: str
    flags: int
    relocations: dict[int, int]
    code: dict[str, int]
    symbols: tuple[Symbol, ...]
    attributes: dict[str, int | str]


def read_object(path: Path) -> ObjectFile:
    """Read a file; raises `Problem` for one that cannot be opened or is no ELF file."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error
    with file:
        if file.read(len(MAGIC)) != MAGIC:
            raise Problem(f"{path} is not an ELF file", "name an object file or a program")
        try:
            return _read(path, ELFFile(file))
        # pyelftools has many ways of saying that a file is damaged.
        except Exception as error:
            raise Problem(f"{path} is damaged: {type(error).__name__} while it is read") from error


def _read(path: Path, elf: ELFFile) -> ObjectFile:
    elf.stream.seek(MACHINE_AT)
    order = "<" if elf.little_endian else ">"
    (machine,) = struct.unpack(f"{order}H", elf.stream.read(2))
    counted: Counter[int] = Counter()
    symbols: list[Symbol] = []
    attributes: dict[str, int | str] = {}
    code = {}
    elf.stream.seek(MACHINE_AT - 2)
    (kind,) = struct.unpack(f"{order}H", elf.stream.read(2))
    for section in elf.iter_sections():
        match section:
            case RelocationSection():
                counted.update(int(entry["r_info_type"]) for entry in section.iter_relocations())
            case SymbolTableSection():
                symbols += _defined(section, relative=kind == 1)
            case RISCVAttributesSection():
                attributes |= _attributes(section)
            case _ if section["sh_flags"] & EXECUTABLE and section["sh_size"]:
                code[section.name] = section["sh_size"]
    return ObjectFile(
        path=str(path),
        elf_class=elf.elfclass,
        little_endian=elf.little_endian,
        machine=machine,
        os_abi=_identification(elf, 7),
        kind=KINDS.get(kind, f"type {kind}"),
        flags=elf.header["e_flags"],
        relocations=dict(sorted(counted.items())),
        code=code,
        symbols=tuple(symbols),
        attributes=attributes,
    )


def _identification(elf: ELFFile, at: int) -> int:
    elf.stream.seek(at)
    return int(elf.stream.read(1)[0])


def _defined(table: SymbolTableSection, *, relative: bool) -> list[Symbol]:
    """The named symbols that a table defines, sections and files left out."""
    return [
        Symbol(symbol.name, symbol["st_value"], relative and isinstance(symbol["st_shndx"], int))
        for symbol in table.iter_symbols()
        if symbol.name
        and symbol["st_shndx"] != "SHN_UNDEF"
        and symbol["st_info"]["type"] not in {"STT_FILE", "STT_SECTION"}
    ]


def _attributes(section: RISCVAttributesSection) -> dict[str, int | str]:
    return {
        each.tag: each.value
        for part in section.iter_subsections()
        for group in part.iter_subsubsections()
        for each in group.iter_attributes()
    }

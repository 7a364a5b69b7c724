"""An ELF file, as far as its ABI goes."""

from __future__ import annotations

import struct
from collections import Counter
from typing import BinaryIO

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, SymbolTableSection

from abiprobe.harness.machines.elf_facts.attributes import Attributes, read_aarch64, read_attributes
from abiprobe.harness.machines.elf_facts.notes import read_properties, with_signing
from abiprobe.oracles.abis.dpu.elf import EM_DPU
from abiprobe.oracles.linking.aarch64 import EM_AARCH64
from abiprobe.oracles.linking.field import NO_CODE
from abiprobe.oracles.linking.powerpc import DESCRIPTORS

RELOCATABLE, SHARED = "relocatable", "shared object"
KINDS = {1: RELOCATABLE, 2: "executable", 3: SHARED, 4: "core file"}
EI_NIDENT, EI_OSABI, MACHINE_AT = 16, 7, 18
EXECUTABLE = 0x4
ATTRIBUTES = frozenset({".ARM.attributes", ".riscv.attributes", ".gnu.attributes"})
PROPERTIES = ".note.gnu.property"
ABI_FLAGS = ".MIPS.abiflags"
ABI_FLAGS_ENTRIES = (
    "version",
    "isa_level",
    "isa_rev",
    "gpr_size",
    "cpr1_size",
    "cpr2_size",
    "fp_abi",
    "isa_ext",
    "ases",
    "flags1",
    "flags2",
)
ABI_FLAGS_FORM = "HBBBBBBIIII"
LARGEST = 1 << 20
"""Bytes of the largest section of attributes or properties that is read."""


class Symbol(msgspec.Struct, frozen=True):
    """A symbol that the file defines: its name and value; `relative` says that the value counts from its section."""

    name: str
    value: int
    relative: bool


class ObjectFile(msgspec.Struct, frozen=True):
    """The facts of an ELF file about its ABI. `elf_class` in bits. `elf_class` in bits.

    `properties` are numbers by type, `abi_flags` the entries of `.MIPS.abiflags` by name, and `special` the names of sections that say
    something by being there. Of DPU files alone, `relocations` counts them by number, and `code` gives the size in bytes of each section
    of instructions by name.
    """

    path: str
    elf_class: int
    little_endian: bool
    machine: int
    ident: bytes
    kind: str
    flags: int
    attributes: Attributes = Attributes()
    properties: dict[int, int] = {}
    abi_flags: dict[str, int] = {}
    special: frozenset[str] = frozenset()
    relocations: dict[int, int] = {}
    code: dict[str, int] = {}
    symbols: tuple[Symbol, ...] = ()

    @property
    def os_abi(self) -> int:
        """The vendor whose extensions of ELF it may use."""
        return self.ident[EI_OSABI]


def read_elf(name: str, stream: BinaryIO) -> ObjectFile:
    """Read a file; raises whatever pyelftools, `struct` and the readers of sections raise for one that is damaged."""
    elf = ELFFile(stream)
    order = "<" if elf.little_endian else ">"
    # pyelftools has names for most of these numbers, and not for all.
    stream.seek(MACHINE_AT - 2)
    kind, machine = struct.unpack(f"{order}HH", stream.read(4))
    stream.seek(0)
    found = ObjectFile(
        path=name,
        elf_class=elf.elfclass,
        little_endian=elf.little_endian,
        machine=machine,
        ident=stream.read(EI_NIDENT),
        kind=KINDS.get(kind, f"type {kind}"),
        flags=elf.header["e_flags"],
    )
    found = with_sections(found, elf, order)
    return with_contents(found, elf) if machine == EM_DPU else found


def with_sections(found: ObjectFile, elf: ELFFile, order: str) -> ObjectFile:
    """The same with what special sections say."""
    attributes, properties, abi_flags, special = Attributes(), dict[int, int](), dict[str, int](), {NO_CODE}
    for section in elf.iter_sections():
        if section.name in ATTRIBUTES:
            read = read_aarch64 if found.machine == EM_AARCH64 else read_attributes
            attributes = together(attributes, read(contents(section), order))
        elif section.name == PROPERTIES:
            for kind, value in read_properties(contents(section), order, found.elf_class):
                properties[kind] = properties.get(kind, 0) | value
        elif section.name == ABI_FLAGS:
            abi_flags = dict(
                zip(
                    ABI_FLAGS_ENTRIES,
                    struct.unpack_from(order + ABI_FLAGS_FORM, contents(section)),
                    strict=True,
                )
            )
        elif section.name == DESCRIPTORS:
            special.add(section.name)
        if section["sh_flags"] & EXECUTABLE and section["sh_size"]:
            special.discard(NO_CODE)
    if found.machine == EM_AARCH64:
        attributes, properties = with_signing(attributes, properties, order)
    return msgspec.structs.replace(
        found, attributes=attributes, properties=properties, abi_flags=abi_flags, special=frozenset(special)
    )


def contents(section: Section) -> bytes:
    """The bytes of a section that is not large; raises `ValueError` for another."""
    if section["sh_size"] > LARGEST:
        raise ValueError(f"{section.name} is too large")
    data: bytes = section.data()
    return data


def together(one: Attributes, other: Attributes) -> Attributes:
    """Attributes of two sections, which no tool makes of the same vendor."""
    return Attributes(one.values | other.values, one.vendors | other.vendors, one.scoped or other.scoped)


def with_contents(found: ObjectFile, elf: ELFFile) -> ObjectFile:
    """The same with relocations, instructions and symbols."""
    counted: Counter[int] = Counter()
    symbols: list[Symbol] = []
    code = {}
    for section in elf.iter_sections():
        match section:
            case RelocationSection():
                counted.update(int(entry["r_info_type"]) for entry in section.iter_relocations())
            case SymbolTableSection():
                symbols += _defined(section, relative=found.kind == RELOCATABLE)
            case _ if section["sh_flags"] & EXECUTABLE and section["sh_size"]:
                code[section.name] = section["sh_size"]
    return msgspec.structs.replace(
        found, relocations=dict(sorted(counted.items())), code=code, symbols=tuple(symbols)
    )


def _defined(table: SymbolTableSection, *, relative: bool) -> list[Symbol]:
    """The named symbols that a table defines, sections and files left out."""
    return [
        Symbol(symbol.name, symbol["st_value"], relative and isinstance(symbol["st_shndx"], int))
        for symbol in table.iter_symbols()
        if symbol.name
        and symbol["st_shndx"] != "SHN_UNDEF"
        and symbol["st_info"]["type"] not in {"STT_FILE", "STT_SECTION"}
    ]

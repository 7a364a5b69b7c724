"""Data of an ELF object file with the addresses in it: for each symbol its bytes, and which symbols its words lead to."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Symbol, SymbolTableSection

from abiprobe.harness.machines.readers.elf import damage
from abiprobe.harness.machines.readers.relocations import RELOCATIONS, RelocationKind
from abiprobe.oracles.text.place import ByteOrder


class Data(msgspec.Struct, frozen=True):
    """The bytes of a symbol, and by their offset the places of addresses: a symbol, and the bytes beyond it."""

    data: bytes
    addresses: dict[int, tuple[str, int]]

    def number(self, at: int, size: int, order: ByteOrder) -> int:
        """The signed number at an offset."""
        return int.from_bytes(self.data[at : at + size], order, signed=True)


def with_addresses(data: bytes, prefixes: tuple[str, ...]) -> dict[str, Data]:
    """The data of each defined symbol whose name begins so; raises `ValueError` for a file that is damaged or not understood."""
    with damage():
        return dict(_found(ELFFile(BytesIO(data)), prefixes))


def _found(elf: ELFFile, prefixes: tuple[str, ...]) -> Iterator[tuple[str, Data]]:
    table = elf.get_section_by_name(".symtab")
    symbols = list(table.iter_symbols()) if isinstance(table, SymbolTableSection) else []
    places: dict[int, dict[int, tuple[str, int]]] = {}
    for section in elf.iter_sections():
        if isinstance(section, RelocationSection):
            places.setdefault(section["sh_info"], {}).update(_addresses(elf, section, symbols))
    for symbol in symbols:
        index = symbol["st_shndx"]
        if not symbol.name.startswith(prefixes) or not isinstance(index, int):
            continue
        begin, size = symbol["st_value"], symbol["st_size"]
        inside = range(begin, begin + size)
        addresses = {at - begin: one for at, one in places.get(index, {}).items() if at in inside}
        yield symbol.name, Data(elf.get_section(index).data()[begin : begin + size], addresses)


def _addresses(
    elf: ELFFile, section: RelocationSection, symbols: list[Symbol]
) -> Iterator[tuple[int, tuple[str, int]]]:
    known = RELOCATIONS.get(elf["e_machine"], {})
    data = elf.get_section(section["sh_info"]).data()
    order: ByteOrder = "little" if elf.little_endian else "big"
    for one in section.iter_relocations():
        kind = known.get(one["r_info_type"])
        if kind is None or kind.change is not RelocationKind.SET:
            continue
        at, symbol = one["r_offset"], symbols[one["r_info_sym"]]
        beyond = one["r_addend"] if section.is_RELA() else int.from_bytes(data[at : at + kind.size], order)
        yield at, (_named(elf, symbol), beyond)


def _named(elf: ELFFile, symbol: Symbol) -> str:
    """The name of a symbol, of a section that of the section."""
    name, index = str(symbol.name), symbol["st_shndx"]
    return name or (elf.get_section(index).name if isinstance(index, int) else "")

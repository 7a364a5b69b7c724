"""Symbols of an ELF object file and their data."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_ST_INFO_BIND, ENUM_ST_INFO_TYPE
from elftools.elf.sections import Section, SymbolTableSection

from abiprobe.harness.machines.readers.unsized import Symbol, contents, zeros

MAGIC = b"\x7fELF"
_SYMBOL = {32: "IIIBBH", 64: "IBBHQQ"}
OTHER = {32: 4, 64: 2}
"""Which field `st_other` is in either class."""
_RESERVED = 0xFF00
_GLOBAL = ENUM_ST_INFO_BIND["STB_GLOBAL"] << 4
_UNSIZED = _GLOBAL | ENUM_ST_INFO_TYPE["STT_NOTYPE"]
"""The information of a global symbol about its binding and type if the compiler, like qbe, told the assembler neither type nor size."""
_OBJECT = _GLOBAL | ENUM_ST_INFO_TYPE["STT_OBJECT"]
"""The same if it told the type alone, as xcc does."""
VISIBILITY = 0x3
"""The bits of `st_other` that every machine has."""
EI_DATA, ELFDATA2MSB = 5, b"\x02"


def constants(data: bytes) -> dict[str, bytes]:
    """The initial contents of every data symbol that the object file defines.

    A global symbol without type and size has what stands before the next of its kind in its section, and so has an object
    without a size in a file that tells none. Symbols are unpacked here and not by pyelftools, which takes longer over a batch than the compiler does.
    Raises `ValueError` for a file that is damaged or without symbols.
    """
    with damage():
        return _constants(data)


def _constants(data: bytes) -> dict[str, bytes]:
    elf = ELFFile(BytesIO(data))
    entries, names = _symbol_table(elf)
    ordered = [_ordered(elf.elfclass, fields) for fields in entries]
    open_ended = {_UNSIZED} if any(size for *_, size in ordered) else {_UNSIZED, _OBJECT}
    found: dict[str, bytes] = {}
    unsized: list[Symbol] = []
    sections: dict[int, bytes] = {}
    for name, info, section, value, size in ordered:
        if not (size or info in open_ended) or not section or section >= _RESERVED:
            continue
        if section not in sections:
            sections[section] = _contents(elf.get_section(section))
        text = _name(names, name)
        if size:
            found[text] = sections[section][value : value + size]
        else:
            unsized.append(Symbol(text, section, value))
    return {**found, **contents(unsized, sections)}


@contextmanager
def damage() -> Iterator[None]:
    """Raise `ValueError` for whatever pyelftools and zlib say of a file that is damaged, in many ways."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(str(error) or type(error).__name__) from error


def is_big_endian(data: bytes) -> bool:
    """Return whether the numbers in an ELF file have their most significant byte first."""
    return data[EI_DATA : EI_DATA + 1] == ELFDATA2MSB


def functions(data: bytes) -> frozenset[str]:
    """The names of the functions that the object file defines for others.

    Raises `ValueError` for a file that is damaged.
    """
    with damage():
        table = ELFFile(BytesIO(data)).get_section_by_name(".symtab")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        return frozenset(
            symbol.name
            for symbol in symbols
            if symbol["st_info"]["type"] == "STT_FUNC"
            and symbol["st_info"]["bind"] != "STB_LOCAL"
            and symbol["st_shndx"] != "SHN_UNDEF"
        )


def symbols(data: bytes) -> frozenset[str]:
    """The names of all symbols of an object file, those that it only refers to among them.

    Raises `ValueError` for a file that is damaged.
    """
    with damage():
        entries, names = _symbol_table(ELFFile(BytesIO(data)))
        return frozenset(_name(names, at) for at in {fields[0] for fields in entries if fields[0]})


def markings(data: bytes) -> dict[str, int]:
    """Return the `st_other` bits, without visibility, of each named symbol that the object file defines.

    Raises `ValueError` for a file that is damaged.
    """
    with damage():
        elf = ELFFile(BytesIO(data))
        entries, names = _symbol_table(elf)
        found = {}
        for fields in entries:
            name, _, section, _, _ = _ordered(elf.elfclass, fields)
            if name and section:
                found[_name(names, name)] = fields[OTHER[elf.elfclass]] & ~VISIBILITY
        return found


def _contents(section: Section) -> bytes:
    """The bytes of a section; one without initial contents is all zeros."""
    if section["sh_type"] == "SHT_NOBITS":
        return zeros(section["sh_size"])
    data: bytes = section.data()
    return data


def _symbol_table(elf: ELFFile) -> tuple[Iterator[tuple[int, ...]], bytes]:
    """The fields of every symbol, in the order of the file's class, and the table of their names."""
    symbol = struct.Struct(("<" if elf.little_endian else ">") + _SYMBOL[elf.elfclass])
    table = elf.get_section_by_name(".symtab")
    if table is None:
        raise ValueError("it has no symbol table")
    return symbol.iter_unpack(table.data()), elf.get_section(table["sh_link"]).data()


def _name(names: bytes, at: int) -> str:
    """The name at an offset of a table of names."""
    return names[at : names.index(b"\0", at)].decode()


def _ordered(width: int, fields: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """Name offset, binding and type, section, value and size, which the two classes keep in different orders."""
    if width == 64:
        name, info, _, section, value, size = fields
    else:
        name, value, size, info, _, section = fields
    return name, info, section, value, size

"""Constants from an ELF object file, by symbol."""

from __future__ import annotations

import struct
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

_SYMBOL = {32: struct.Struct("<IIIBBH"), 64: struct.Struct("<IBBHQQ")}
_RESERVED = 0xFF00


def constants(path: Path) -> dict[str, bytes]:
    """The initial contents of every data symbol defined in an object file.

    Symbols are unpacked here and not by pyelftools, which takes longer over a batch than the compiler does.
    Raises `ValueError` when the file is not an ELF object with symbols.
    """
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            table = elf.get_section_by_name(".symtab")
            if table is None:
                raise ValueError(f"{path.name} has no symbol table")
            names = elf.get_section(table["sh_link"]).data()
            found: dict[str, bytes] = {}
            sections: dict[int, bytes] = {}
            for fields in _SYMBOL[elf.elfclass].iter_unpack(table.data()):
                name, section, value, size = _ordered(elf.elfclass, fields)
                if not size or not section or section >= _RESERVED:
                    continue
                if section not in sections:
                    sections[section] = elf.get_section(section).data()
                end = names.index(b"\0", name)
                found[names[name:end].decode()] = sections[section][value : value + size]
            return found
    except (ELFError, struct.error) as error:
        raise ValueError(f"{path.name} is not an object file: {error}") from error


def _ordered(width: int, fields: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Name offset, section, value and size, which the two classes keep in different orders."""
    if width == 64:
        name, _, _, section, value, size = fields
    else:
        name, value, size, _, _, section = fields
    return name, section, value, size

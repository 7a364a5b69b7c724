"""Debug sections of a relocatable object with their relocations applied, as if every section were loaded at 0."""

from __future__ import annotations

import struct
from typing import Literal

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

from abiprobe.harness.machines.readers.relocations import RELOCATIONS, RelocationKind
from abiprobe.harness.machines.readers.unread import UnreadError

# Unpacked here and not by pyelftools, which takes longer over a batch than the compiler does.
_SYMBOL = {32: "4xI8x", 64: "8xQ8x"}
_ENTRY = {(32, ".rel"): "II", (32, ".rela"): "IIi", (64, ".rel"): "QQ", (64, ".rela"): "QQq"}
_SYMBOL_SHIFT = {32: 8, 64: 32}


def relocated(elf: ELFFile, section: Section) -> bytes:
    """The contents of `section`, relocated.

    Raises `UnreadError` for a relocation that is not known here, and `struct.error` for one out of bounds.
    """
    data = bytearray(section.data())
    for prefix in (".rela", ".rel"):
        table = elf.get_section_by_name(prefix + section.name)
        if table is not None:
            _apply(elf, data, table, prefix)
    return bytes(data)


def _apply(elf: ELFFile, data: bytearray, table: Section, prefix: str) -> None:
    machine = elf["e_machine"]
    known = RELOCATIONS.get(machine, {})
    order: Literal["little", "big"] = "little" if elf.little_endian else "big"
    sign = "<" if elf.little_endian else ">"
    symbol, entry = (
        struct.Struct(sign + form) for form in (_SYMBOL[elf.elfclass], _ENTRY[elf.elfclass, prefix])
    )
    symbols = [value for (value,) in symbol.iter_unpack(elf.get_section(table["sh_link"]).data())]
    for at, info, *addend in entry.iter_unpack(table.data()):
        index, number = _parts(info, elf.elfclass, swapped=machine == "EM_MIPS" and elf.little_endian)
        if number not in known:
            raise UnreadError(f"relocation {number} of {machine} in debug information is not known")
        change, size = known[number].change, known[number].size
        place = slice(at, at + size)
        old = int.from_bytes(data[place], order)
        value = symbols[index] + (addend[0] if addend else old)
        match change:
            case RelocationKind.ADD:
                value = old + value
            case RelocationKind.SUBTRACT:
                value = old - value
            case RelocationKind.NOTHING | RelocationKind.SET:
                pass
        data[place] = (value & ((1 << 8 * size) - 1)).to_bytes(size, order)


def _parts(info: int, width: int, *, swapped: bool) -> tuple[int, int]:
    """The index of the symbol and the type in the `r_info` of an entry.

    64-bit MIPS has a structure of its own: a word with the symbol, then a byte each for a special symbol and three types, of
    which the first stands last. Little-endian files have the word first all the same.
    """
    if width == 64 and swapped:
        return info & 0xFFFF_FFFF, info >> 56
    shift = _SYMBOL_SHIFT[width]
    return info >> shift, info & ((1 << shift) - 1)

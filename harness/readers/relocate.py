"""Debug sections of a relocatable object with their relocations applied, as if every section were loaded at 0.

Done here and not by pyelftools, which knows none of the relocations that RISC-V compilers leave in DWARF.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import Enum

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section


class Change(Enum):
    """What a relocation does to the number in its place."""

    NOTHING = "nothing"
    """it only marks the place for the linker"""
    SET = "set"
    """the number becomes symbol plus addend"""
    ADD = "add"
    """symbol plus addend are added to it"""
    SUBTRACT = "subtract"
    """symbol plus addend are subtracted from it"""


RELOCATIONS: Mapping[str | int, Mapping[int, tuple[Change, int]]] = {
    "EM_X86_64": {0: (Change.NOTHING, 0), 1: (Change.SET, 8), 10: (Change.SET, 4), 11: (Change.SET, 4)},
    "EM_386": {0: (Change.NOTHING, 0), 1: (Change.SET, 4)},
    "EM_ARM": {0: (Change.NOTHING, 0), 2: (Change.SET, 4)},
    "EM_MIPS": {0: (Change.NOTHING, 0), 2: (Change.SET, 4)},
    # pyelftools has no name for the DPU.
    0xF5: {
        0: (Change.NOTHING, 0),
        1: (Change.SET, 4),
        2: (Change.SET, 1),
        3: (Change.SET, 2),
        4: (Change.SET, 8),
    },
    "EM_RISCV": {
        0: (Change.NOTHING, 0),
        1: (Change.SET, 4),
        2: (Change.SET, 8),
        33: (Change.ADD, 1),
        34: (Change.ADD, 2),
        35: (Change.ADD, 4),
        36: (Change.ADD, 8),
        37: (Change.SUBTRACT, 1),
        38: (Change.SUBTRACT, 2),
        39: (Change.SUBTRACT, 4),
        40: (Change.SUBTRACT, 8),
        54: (Change.SET, 1),
        55: (Change.SET, 2),
        56: (Change.SET, 4),
    },
}
"""Change and size in bytes by machine and relocation type, for those that occur in DWARF."""

# Unpacked here and not by pyelftools, which takes longer over a batch than the compiler does.
_SYMBOL = {32: struct.Struct("<4xI8x"), 64: struct.Struct("<8xQ8x")}
_ENTRY = {
    (32, ".rel"): struct.Struct("<II"),
    (32, ".rela"): struct.Struct("<IIi"),
    (64, ".rel"): struct.Struct("<QQ"),
    (64, ".rela"): struct.Struct("<QQq"),
}
_SYMBOL_SHIFT = {32: 8, 64: 32}


def relocated(elf: ELFFile, section: Section) -> bytes:
    """The contents of `section`, relocated.

    Raises `ValueError` for a relocation that is not known here, and `struct.error` for one out of bounds.
    """
    data = bytearray(section.data())
    for prefix in (".rela", ".rel"):
        table = elf.get_section_by_name(prefix + section.name)
        if table is not None:
            _apply(elf, data, table, prefix)
    return bytes(data)


def _apply(elf: ELFFile, data: bytearray, table: Section, prefix: str) -> None:
    known = RELOCATIONS.get(elf["e_machine"], {})
    symbols = [
        value for (value,) in _SYMBOL[elf.elfclass].iter_unpack(elf.get_section(table["sh_link"]).data())
    ]
    shift = _SYMBOL_SHIFT[elf.elfclass]
    for at, info, *addend in _ENTRY[elf.elfclass, prefix].iter_unpack(table.data()):
        number = info & ((1 << shift) - 1)
        if number not in known:
            raise ValueError(f"relocation {number} of {elf['e_machine']} in debug information is not known")
        change, size = known[number]
        place = slice(at, at + size)
        old = int.from_bytes(data[place], "little")
        value = symbols[info >> shift] + (addend[0] if addend else old)
        match change:
            case Change.ADD:
                value = old + value
            case Change.SUBTRACT:
                value = old - value
            case Change.NOTHING | Change.SET:
                pass
        data[place] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

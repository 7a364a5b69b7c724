"""ELF files made by hand: a header, one section of code, a symbol, relocations."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

DPU_FLAGS = 0x02800000


class Made(NamedTuple):
    """What is put in the file."""

    machine: int = 0xF5
    flags: int = DPU_FLAGS
    elf_class: int = 32
    big: bool = False
    os_abi: int = 0
    kind: int = 1
    code: int = 16
    relocations: tuple[int, ...] = ()
    symbols: tuple[int, ...] = ()


def write(path: Path, made: Made) -> Path:
    """Write an ELF file."""
    order = ">" if made.big else "<"
    names = b"\0.text\0.rela.text\0.symtab\0.strtab\0.shstrtab\0"
    strings = b"\0s\0"
    wide = made.elf_class == 64
    symbol = struct.Struct(order + ("IBBHQQ" if wide else "IIIBBH"))
    entry = struct.Struct(order + ("QQq" if wide else "IIi"))
    absolute = 0xFFF1

    def packed(value: int, section: int, name: int) -> bytes:
        if wide:
            return symbol.pack(name, 0x11, 0, section, value, 0)
        return symbol.pack(name, value, 0, 0x11, 0, section)

    table = packed(0, 0, 0) + b"".join(packed(value, absolute, 1) for value in made.symbols)
    relocations = b"".join(entry.pack(0, number, 0) for number in made.relocations)
    bodies = [b"", bytes(made.code), relocations, table, strings, names]
    head = struct.Struct(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"))
    section = struct.Struct(order + ("IIQQQQIIQQ" if wide else "IIIIIIIIII"))
    at = 16 + head.size
    offsets = []
    for body in bodies:
        offsets.append(at)
        at += len(body)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 2 if made.big else 1, 1, made.os_abi]) + bytes(8)
    header = head.pack(
        made.kind, made.machine, 1, 0, 0, at, made.flags, 16 + head.size, 0, 0, section.size, len(bodies), 5
    )
    kinds = [
        (0, 0, 0, 0, 0, 0),
        (names.index(b".text"), 1, 0x6, 0, 0, 0),
        (names.index(b".rela.text"), 4, 0, 3, 1, entry.size),
        (names.index(b".symtab"), 2, 0, 4, 1, symbol.size),
        (names.index(b".strtab"), 3, 0, 0, 0, 0),
        (names.index(b".shstrtab"), 3, 0, 0, 0, 0),
    ]
    sections = b"".join(
        section.pack(name, kind, flags, 0, offset if kind else 0, len(body), link, info, 0, size)
        for (name, kind, flags, link, info, size), offset, body in zip(kinds, offsets, bodies, strict=True)
    )
    path.write_bytes(ident + header + b"".join(bodies) + sections)
    return path

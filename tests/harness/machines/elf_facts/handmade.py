"""ELF files made by hand: a header, one section of code, a symbol, relocations, attributes and properties."""

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
    abi_version: int = 0
    kind: int = 1
    code: int = 16
    relocations: tuple[int, ...] = ()
    symbols: tuple[int, ...] = ()
    sections: tuple[tuple[str, bytes], ...] = ()


def number(value: int) -> bytes:
    """A ULEB128 number."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + number(value >> 7)


def attributes(vendor: str, *tags: tuple[int, int | str], big: bool = False, scope: int = 1) -> bytes:
    """A section with attributes of a whole file."""
    order = ">I" if big else "<I"
    body = b"".join(number(tag) + parameter(tag, value) for tag, value in tags)
    group = bytes([scope]) + struct.pack(order, 5 + len(body)) + body
    name = vendor.encode() + b"\0"
    return b"A" + struct.pack(order, 4 + len(name) + len(group)) + name + group


def parameter(tag: int, value: int | str) -> bytes:
    """What stands behind a tag; the one for toolchains has a number and a name."""
    if isinstance(value, str):
        return value.encode() + b"\0"
    return number(value) + (b"vendor\0" if tag == 32 else b"")


def properties(*values: tuple[int, bytes], wide: bool = True) -> bytes:
    """A section with a note of properties, little-endian."""
    unit = 8 if wide else 4
    body = b"".join(
        struct.pack("<II", kind, len(value)) + value + bytes(-len(value) % unit) for kind, value in values
    )
    return struct.pack("<III", 4, len(body), 5) + b"GNU\0" + body


def archive(*members: tuple[str, bytes]) -> bytes:
    """An archive with short names."""
    found = b"!<arch>\n"
    for name, data in members:
        found += (
            f"{name + '/':16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode()
            + data
            + b"\n" * (len(data) % 2)
        )
    return found


def write(path: Path, made: Made) -> Path:
    """Write an ELF file."""
    order = ">" if made.big else "<"
    names = b"\0.text\0.rela.text\0.symtab\0.strtab\0.shstrtab\0"
    extra = [
        (len(names) + sum(len(name) + 1 for name, _ in made.sections[:at]))
        for at in range(len(made.sections))
    ]
    names += b"".join(name.encode() + b"\0" for name, _ in made.sections)
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
    bodies = [b"", bytes(made.code), relocations, table, strings, names, *(body for _, body in made.sections)]
    head = struct.Struct(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"))
    section = struct.Struct(order + ("IIQQQQIIQQ" if wide else "IIIIIIIIII"))
    at = 16 + head.size
    offsets = []
    for body in bodies:
        offsets.append(at)
        at += len(body)
    ident = (
        b"\x7fELF"
        + bytes([2 if wide else 1, 2 if made.big else 1, 1, made.os_abi, made.abi_version])
        + bytes(7)
    )
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
        *((name, 1, 0, 0, 0, 0) for name in extra),
    ]
    sections = b"".join(
        section.pack(name, kind, flags, 0, offset if kind else 0, len(body), link, info, 0, size)
        for (name, kind, flags, link, info, size), offset, body in zip(kinds, offsets, bodies, strict=True)
    )
    path.write_bytes(ident + header + b"".join(bodies) + sections)
    return path

"""Symbols of a Mach-O object file and their data (the structures of `mach-o/loader.h` and `mach-o/nlist.h`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from abiprobe.harness.machines.readers.unsized import Symbol, contents, zeros


class _Width(NamedTuple):
    """The structures of one word size; a segment's load command and a section begin alike in both."""

    header: struct.Struct
    command: int
    segment: struct.Struct
    section: struct.Struct
    symbol: struct.Struct


_WIDTHS = {
    b"\xce\xfa\xed\xfe": _Width(
        struct.Struct("<7I"),
        0x01,
        struct.Struct("<II16s8I"),
        struct.Struct("<16s16s9I"),
        struct.Struct("<IBBHI"),
    ),
    b"\xcf\xfa\xed\xfe": _Width(
        struct.Struct("<8I"),
        0x19,
        struct.Struct("<II16s4Q4I"),
        struct.Struct("<16s16s2Q8I"),
        struct.Struct("<IBBHQ"),
    ),
}
MAGICS = frozenset(_WIDTHS)
_COMMAND = struct.Struct("<II")
_SYMTAB = 0x02
_SYMTAB_COMMAND = struct.Struct("<6I")
_SECTION_TYPE = 0xFF
_ZEROFILL = 0x01
_STAB = 0xE0
_TYPE = 0x0E
_IN_SECTION = 0x0E


NAME_BYTES = 16
"""Longer names of sections are cut off."""


class _Section(msgspec.Struct, frozen=True):
    """A section: its name, where the object file says that it will lie, and its bytes."""

    name: str
    address: int
    data: bytes


def constants(data: bytes) -> dict[str, bytes]:
    """The initial contents of every symbol that the object file defines, by its name in C.

    A symbol's bytes reach to the next one. Raises `ValueError` for a damaged file.
    """
    width = _WIDTHS[data[:4]]
    try:
        sections: dict[int, _Section] = {}
        symbols: list[Symbol] = []
        for kind, at in _commands(data, width):
            if kind == width.command:
                for section in _sections(data, width, at):
                    sections[len(sections) + 1] = section
            elif kind == _SYMTAB:
                symbols += _symbols(data, width, at, sections)
        return contents(symbols, {number: section.data for number, section in sections.items()})
    except struct.error as error:
        raise ValueError(str(error)) from error


def sections(data: bytes) -> dict[str, bytes]:
    """The contents of the sections by name. Raises `ValueError` for a damaged file."""
    width = _WIDTHS[data[:4]]
    try:
        return {
            section.name: section.data
            for kind, at in _commands(data, width)
            if kind == width.command
            for section in _sections(data, width, at)
        }
    except struct.error as error:
        raise ValueError(str(error)) from error


def _commands(data: bytes, width: _Width) -> Iterator[tuple[int, int]]:
    """The kind of each load command and where it stands."""
    count = width.header.unpack_from(data)[4]
    at = width.header.size
    for _ in range(count):
        kind, size = _COMMAND.unpack_from(data, at)
        yield kind, at
        at += size


def _sections(data: bytes, width: _Width, at: int) -> Iterator[_Section]:
    """The sections of the segment whose load command stands at `at`."""
    *_, count, _ = width.segment.unpack_from(data, at)
    for number in range(count):
        fields = width.section.unpack_from(data, at + width.segment.size + number * width.section.size)
        name, _, address, size, start, _, _, _, flags, *_ = fields
        empty = flags & _SECTION_TYPE == _ZEROFILL
        yield _Section(
            name.rstrip(b"\0").decode(), address, zeros(size) if empty else data[start : start + size]
        )


def _symbols(data: bytes, width: _Width, at: int, sections: dict[int, _Section]) -> Iterator[Symbol]:
    """The symbols defined in `sections`; the segments of a file stand before its symbol table."""
    _, _, table, count, strings, _ = _SYMTAB_COMMAND.unpack_from(data, at)
    end = table + count * width.symbol.size
    if end > len(data):
        raise ValueError("its symbol table is cut off")
    for name, kind, section, _, address in width.symbol.iter_unpack(data[table:end]):
        if kind & _STAB or kind & _TYPE != _IN_SECTION or section not in sections:
            continue
        start = strings + name
        text = data[start : data.index(b"\0", start)].decode()
        # The names of C begin with an underscore there.
        yield Symbol(text.removeprefix("_"), section, address - sections[section].address)

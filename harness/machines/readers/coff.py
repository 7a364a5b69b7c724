"""Symbols of a COFF object file and their data (PE and COFF specification, sections 3 to 5)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from abiprobe.harness.machines.readers.unsized import Symbol, contents, zeros

_I386 = 0x014C
MACHINES = frozenset({_I386, 0x8664, 0x01C4, 0xAA64, 0xA641, 0xA64E})
"""i386, x86-64, ARM (Thumb), ARM64, ARM64EC, ARM64X: all little-endian."""
_HEADER = struct.Struct("<HHIIIHH")
_SECTION = struct.Struct("<8sIIIIIIHHI")
_SYMBOL = struct.Struct("<8sIhHBB")
_EXTERNAL, _STATIC = 2, 3


def is_coff(data: bytes) -> bool:
    """Return whether a file begins as an object file for one of `MACHINES` does."""
    return len(data) >= _HEADER.size and int.from_bytes(data[:2], "little") in MACHINES


def constants(data: bytes) -> dict[str, bytes]:
    """The initial contents of every symbol of an object that the file defines, by its name in C.

    A symbol's bytes reach to the next one. Raises `ValueError` for a damaged file.
    """
    try:
        machine, section_count, _, table, symbol_count, optional, _ = _HEADER.unpack_from(data)
        sections = {
            number + 1: _section(data, _HEADER.size + optional + number * _SECTION.size)
            for number in range(section_count)
        }
        return contents(_symbols(data, machine, table, symbol_count), sections)
    except struct.error as error:
        raise ValueError(str(error)) from error


def sections(data: bytes) -> dict[str, bytes]:
    """The contents of the sections by name, of each name the last. Raises `ValueError` for a damaged file."""
    try:
        _, count, _, table, symbols, optional, _ = _HEADER.unpack_from(data)
        strings = data[table + symbols * _SYMBOL.size :]
        headers = [_HEADER.size + optional + number * _SECTION.size for number in range(count)]
        return {
            _section_name(_SECTION.unpack_from(data, at)[0], strings): _section(data, at) for at in headers
        }
    except struct.error as error:
        raise ValueError(str(error)) from error


def _section_name(field: bytes, strings: bytes) -> str:
    """A name of more than eight bytes stands in the string table, at the decimal number behind a slash."""
    name = field.rstrip(b"\0")
    if not name.startswith(b"/"):
        return name.decode()
    start = int(name[1:])
    return strings[start : strings.index(b"\0", start)].decode()


def _section(data: bytes, at: int) -> bytes:
    """The bytes of a section; one without initial contents is all zeros."""
    _, _, _, size, start, *_ = _SECTION.unpack_from(data, at)
    return data[start : start + size] if start else zeros(size)


def _symbols(data: bytes, machine: int, table: int, count: int) -> Iterator[Symbol]:
    strings = data[table + count * _SYMBOL.size :]
    number = 0
    while number < count:
        name, value, section, _, storage, extra = _SYMBOL.unpack_from(data, table + number * _SYMBOL.size)
        number += 1 + extra
        # A static symbol with auxiliary records is a section's own.
        if section > 0 and (storage == _EXTERNAL or (storage == _STATIC and not extra)):
            text = _name(name, strings)
            # Only i386 puts an underscore before the names of C.
            yield Symbol(text.removeprefix("_") if machine == _I386 else text, section, value)


def _name(field: bytes, strings: bytes) -> str:
    """A name of up to eight bytes stands in its symbol, a longer one in the string table."""
    if field[:4] != bytes(4):
        return field.rstrip(b"\0").decode()
    start = int.from_bytes(field[4:], "little")
    return strings[start : strings.index(b"\0", start)].decode()

"""Data of symbols in object file formats that do not record how large an object is, and sections without bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

MOST = 1 << 28
"""Bytes that a section without contents may claim; a damaged file claims any number."""


class Symbol(msgspec.Struct, frozen=True):
    """A symbol: the number of its section, and its byte offset there."""

    name: str
    section: int
    offset: int


def zeros(size: int) -> bytes:
    """The contents of a section that has none in the file; raises `ValueError` beyond `MOST` bytes."""
    if size > MOST:
        raise ValueError(f"it claims a section of {size} bytes")
    return bytes(size)


def contents(symbols: Iterable[Symbol], sections: Mapping[int, bytes]) -> dict[str, bytes]:
    """The bytes from each symbol to the next one in its section, or to the section's end.

    Padding between two objects counts as the first one's. A symbol of no section in `sections` is left out.
    """
    together: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if symbol.section in sections:
            together[symbol.section].append(symbol)
    found: dict[str, bytes] = {}
    for number, members in together.items():
        data = sections[number]
        end = len(data)
        last = end
        for symbol in sorted(members, key=lambda each: each.offset, reverse=True):
            if symbol.offset < last:
                end, last = last, symbol.offset
            found[symbol.name] = data[symbol.offset : end]
    return found

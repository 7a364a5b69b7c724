"""The tables of a class of C++ as a text gives them: virtual tables, the table of virtual tables, type information."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Offset(msgspec.Struct, frozen=True):
    """An entry with a number of bytes: to the top of the object, to a virtual base, or by which `this` is adjusted."""

    what: str
    value: int
    clause: str


class Address(msgspec.Struct, frozen=True):
    """An entry with the address of a symbol and as many bytes; no symbol for a null pointer."""

    what: str
    symbol: str
    clause: str
    beyond: int = 0


class Undecided(msgspec.Struct, frozen=True):
    """An entry that is there, of which no text says what it holds."""

    what: str


Entry: TypeAlias = Offset | Address | Undecided


class VirtualTable(msgspec.Struct, frozen=True):
    """The virtual table of a subobject: its `path`, the entries in the order of memory, and the one to which objects point."""

    path: tuple[str, ...]
    entries: tuple[Entry, ...]
    address_point: int


class VirtualPointer(msgspec.Struct, frozen=True):
    """An element of the table of virtual tables: the table whose address point it holds, and the class that is constructed.

    Where that is the complete class itself, `at` says how many bytes behind the beginning of its group of tables that is.
    """

    of: str
    table: VirtualTable
    at: int | None = None


def spelled(entry: Entry) -> str:
    """An entry in a word: a number, a symbol (0 for a null pointer), or `?`."""
    match entry:
        case Offset(value=value):
            return str(value)
        case Address(symbol=symbol, beyond=beyond):
            return f"{symbol}+{beyond}" if beyond else symbol or "0"
        case Undecided():
            return "?"


class ClassTables(msgspec.Struct, frozen=True):
    """The tables of a class; `pointers` are the table of virtual tables, empty for a class without virtual bases.

    `information` are the words and numbers of its type information, in the order of memory, each with its size in bytes.
    """

    group: tuple[VirtualTable, ...]
    pointers: tuple[VirtualPointer, ...]
    information: tuple[tuple[Entry, int], ...]

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that decide the words."""
        tables = (*self.group, *(one.table for one in self.pointers))
        words = (*(word for one in tables for word in one.entries), *(word for word, _ in self.information))
        return frozenset(word.clause for word in words if not isinstance(word, Undecided))

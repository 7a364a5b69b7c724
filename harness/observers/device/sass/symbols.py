"""Symbols: the knowledge about a byte of a register or of memory.

A symbol is an `int` for a constant byte, `None` for an unknown one, or one of the values below. A word is four of them, the lowest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias


class EntryByte(NamedTuple):
    """Byte `byte` of register `number` at the entry of the function."""

    number: int
    byte: int


class Stack(NamedTuple):
    """The byte at `offset` from the stack pointer at the entry of the function."""

    offset: int


class Loaded(NamedTuple):
    """The byte that was loaded from shared memory at `address`."""

    address: int


class Returned(NamedTuple):
    """Byte `byte` of register `number` when the called function returned."""

    number: int
    byte: int


class InBuffer(NamedTuple):
    """Byte `offset` of the memory whose address the called function was given in R4."""

    offset: int


class Sign(NamedTuple):
    """Eight copies of the top bit of another byte."""

    of: Symbol


class Masked(NamedTuple):
    """Another byte of which only the bits of `mask` are left."""

    of: Symbol
    mask: int


class Partial(NamedTuple):
    """A byte whose bits in `mask` are those of another byte, and whose others are not known."""

    of: Symbol
    mask: int


class Unwritten(NamedTuple):
    """The byte `offset` bytes from `base` in local memory, which the function never wrote."""

    base: str
    offset: int


class Lost(NamedTuple):
    """Byte `byte` of register `number` after a call that need not preserve it."""

    number: int
    byte: int


class Address(NamedTuple):
    """Byte `byte` of the address `offset` bytes from `base`, which names a pointer."""

    base: str
    offset: int
    byte: int


Symbol: TypeAlias = "int | EntryByte | Stack | Loaded | Returned | InBuffer | Sign | Masked | Partial | Unwritten | Lost | Address | None"
Word: TypeAlias = tuple[Symbol, Symbol, Symbol, Symbol]

UNKNOWN: Word = (None, None, None, None)
ZERO: Word = (0, 0, 0, 0)


def constant(value: int) -> Word:
    """A known 32-bit number."""
    low, second, third, high = (value & 0xFFFFFFFF).to_bytes(4, "little")
    return low, second, third, high


def known(word: Word) -> int | None:
    """The number that a word is, if all of it is known."""
    value = 0
    for index, symbol in enumerate(word):
        if not isinstance(symbol, int):
            return None
        value |= symbol << 8 * index
    return value


@lru_cache(4096)
def address(base: str, offset: int) -> Word:
    """The address `offset` bytes from `base`."""
    return tuple(Address(base, offset, byte) for byte in range(4))  # type: ignore[return-value]  # four of them


@lru_cache(256)
def at_entry(number: int) -> Word:
    """Return the word in a register when the function begins."""
    return EntryByte(number, 0), EntryByte(number, 1), EntryByte(number, 2), EntryByte(number, 3)


def pointer(word: Word) -> tuple[str, int] | None:
    """The base and offset that a word points to; a register of the entry is a base of its own."""
    first = word[0]
    if isinstance(first, Address) and word == address(first.base, first.offset):
        return first.base, first.offset
    if isinstance(first, EntryByte) and word == at_entry(first.number):
        return f"R{first.number}", 0
    return None


def word_of(symbols: Sequence[Symbol]) -> Word:
    """Four symbols as a word."""
    low, second, third, high = symbols
    return low, second, third, high

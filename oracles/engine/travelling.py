"""A value that is to travel, with what every rule asks about it."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Type, spelling
from abiprobe.oracles.text.place import ByteOrder, Passed, Passing, Piece

LARGEST_MASK = 1 << 20
"""Bytes of the largest value whose padding is told apart: what is larger is in memory, and no probe passes it."""


class Travelling(msgspec.Struct, frozen=True):
    """A parameter, unnamed argument or result: its name, types as declared and stripped, size and alignment.

    `order` is the byte order of the numbers in it.
    """

    name: str
    declared: Type
    type: Type
    size: int
    align: int
    mask: bytes
    order: ByteOrder = "little"

    @classmethod
    def of(cls, types: TypeTable, name: str, declared: Type) -> Travelling:
        """Measure a value of type `declared`."""
        extent = types.extent(declared)
        mask = types.mask(declared) if extent.size <= LARGEST_MASK else b""
        return cls(name, declared, types.plain(declared), extent.size, extent.align, mask, types.data.order)

    @property
    def is_unnamed(self) -> bool:
        """Return whether this is a variable argument."""
        return self.name.startswith("...")

    def right_aligned(self, size: int, width: int) -> int:
        """The bytes of a place of `width` bytes before a number of `size` bytes in its least significant part."""
        return 0 if self.order == "little" else max(width - size, 0)

    def passed(self, passing: Passing, clause: str, *pieces: Piece) -> Passed:
        """The answer: how this value travels, and where."""
        return Passed(
            self.name, spelling(self.declared), passing, pieces, clause, self.size, self.align, self.mask
        )

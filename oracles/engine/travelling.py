"""A value that is to travel, with what every rule asks about it."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Type, spelling
from abiprobe.oracles.place import Passed, Passing, Piece

LARGEST_MASK = 1 << 20
"""Bytes of the largest value whose padding is told apart: what is larger is in memory, and no probe passes it."""


class Travelling(msgspec.Struct, frozen=True):
    """A parameter, unnamed argument or result: its name, types as declared and stripped, size and alignment."""

    name: str
    declared: Type
    type: Type
    size: int
    align: int
    mask: bytes

    @classmethod
    def of(cls, types: TypeTable, name: str, declared: Type) -> Travelling:
        """Measure a value of type `declared`."""
        extent = types.extent(declared)
        mask = types.mask(declared) if extent.size <= LARGEST_MASK else b""
        return cls(name, declared, types.plain(declared), extent.size, extent.align, mask)

    def passed(self, passing: Passing, clause: str, *pieces: Piece) -> Passed:
        """The answer: how this value travels, and where."""
        return Passed(
            self.name, spelling(self.declared), passing, pieces, clause, self.size, self.align, self.mask
        )

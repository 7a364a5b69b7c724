"""A value that is to travel, with what every rule asks about it."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.policies import ValueKind
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Record, Type, Typedef, spelling
from abiprobe.oracles.text.place import ByteOrder, Passed, Passing, Piece

LARGEST_MASK = 1 << 20
"""Bytes of the largest value whose padding is told apart: what is larger is in memory, and no probe passes it."""


class Travelling(msgspec.Struct, frozen=True):
    """A parameter, unnamed argument or result: its name, types as declared and stripped, size and alignment.

    `declared_align` is the alignment of the type as declared; `align` is that by which it has its place, which is another one to a
    compiler that does not look at typedef names. `order` is the byte order of the numbers in it.
    """

    name: str
    declared: Type
    type: Type
    size: int
    align: int
    mask: bytes
    declared_align: int
    order: ByteOrder = "little"

    @classmethod
    def of(cls, types: TypeTable, name: str, declared: Type) -> Travelling:
        """Measure a value of type `declared`."""
        extent = types.extent(declared)
        mask = types.mask(declared) if extent.size <= LARGEST_MASK else b""
        align = types.extent(placed_type(types, declared)).align
        plain = types.plain(declared)
        return cls(name, declared, plain, extent.size, align, mask, extent.align, types.data.order)

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
            self.name,
            spelling(self.declared),
            passing,
            pieces,
            clause,
            self.size,
            self.declared_align,
            self.mask,
        )


def placed_type(types: TypeTable, declared: Type) -> Type:
    """The type by whose alignment a value has its place: as declared, or without the typedef names that a compiler drops."""
    kind = ValueKind.RECORD if isinstance(types.plain(declared), Record) else ValueKind.SCALAR
    if kind in types.policies.unaligned_names:
        while isinstance(declared, Typedef):
            declared = declared.base
    return declared

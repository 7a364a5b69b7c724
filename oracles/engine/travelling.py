"""A value that is to travel, with what every rule asks about it."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Complex, Member, Record, Type, is_atomic, spelling
from abiprobe.oracles.text.place import ByteOrder, Extension, Passed, Passing, Piece

LARGEST_MASK = 1 << 20
"""Bytes of the largest value whose padding is told apart: what is larger is in memory, and no probe passes it."""


class Travelling(msgspec.Struct, frozen=True):
    """A parameter, unnamed argument or result: its name, types as declared and stripped, size and alignment.

    `order` is the byte order of the numbers in it. Nobody extends an `unextended` one.
    """

    name: str
    declared: Type
    type: Type
    size: int
    align: int
    mask: bytes
    order: ByteOrder = "little"
    unextended: bool = False

    @classmethod
    def of(cls, types: TypeTable, name: str, declared: Type) -> Travelling:
        """Measure a value of type `declared`."""
        extent = types.extent(declared)
        mask = types.mask(declared) if extent.size <= LARGEST_MASK else b""
        unextended = types.policies.unextended_atomics and is_atomic(declared)
        return cls(
            name,
            declared,
            looked_into(types, declared),
            extent.size,
            extent.align,
            mask,
            types.data.order,
            unextended,
        )

    def right_aligned(self, size: int, width: int) -> int:
        """The bytes of a place of `width` bytes before a number of `size` bytes in its least significant part."""
        return 0 if self.order == "little" else max(width - size, 0)

    def passed(self, passing: Passing, clause: str, *pieces: Piece) -> Passed:
        """The answer: how this value travels, and where."""
        if self.unextended:
            pieces = tuple(
                msgspec.structs.replace(piece, extension=piece.extension and Extension.ANY)
                for piece in pieces
            )
        return Passed(
            self.name, spelling(self.declared), passing, pieces, clause, self.size, self.align, self.mask
        )


def looked_into(types: TypeTable, declared: Type) -> Type:
    """The type by which a value is classified: to who does not look into it, what is atomic and no scalar is a record of it."""
    plain = types.plain(declared)
    closed = types.is_opaque(declared) and isinstance(plain, (Complex, Record))
    return Record("", (Member(declared),)) if closed else plain

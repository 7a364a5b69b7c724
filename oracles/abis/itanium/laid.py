"""A class laid out, as those that contain it see it."""

from __future__ import annotations

from typing import Protocol

import msgspec

from abiprobe.oracles.abis.itanium.graph import Node
from abiprobe.oracles.abis.itanium.policy import Policy
from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import Class, CxxType, DataMember
from abiprobe.oracles.language.lang import Type


class Placed(msgspec.Struct, frozen=True):
    """A data member or unnamed bit-field in its place: offset and width in bits, and the clause that decides it."""

    member: DataMember
    bit_offset: int
    bit_width: int
    clause: str


class Settled(msgspec.Struct, frozen=True):
    """A base subobject in its place: its offset in bytes, and the clause that decides it."""

    node: Node
    offset: int
    clause: str


class Laid(msgspec.Struct, frozen=True):
    """A class laid out: sizes and alignments in bytes, and where its members and all its base subobjects are.

    `overlapping_size` are the bytes that it takes as a potentially-overlapping data member. `primary` is its primary base,
    `virtual_pointer` says that it has a pointer to a virtual table of its own. The clauses are those that decide size, alignment, data size
    and non-virtual size; `without` the last two it would end there.
    """

    size: int
    align: int
    data_size: int
    non_virtual_size: int
    non_virtual_align: int
    overlapping_size: int
    without: int
    members: tuple[Placed, ...]
    bases: tuple[Settled, ...] = ()
    primary: Node | None = None
    pod: bool = False
    nearly_empty: bool = False
    virtual_pointer: bool = False
    clause: str = ""
    align_clause: str = ""
    data_clause: str = ""
    non_virtual_clause: str = ""

    def offset_of(self, node: Node) -> int:
        """The offset of a base subobject in bytes."""
        return next(one.offset for one in self.bases if one.node == node)

    def end(self, used: int, padding: str, at: int) -> tuple[str, int]:
        """The clause that decides where a part of this class ends, with `used` bytes from `at`, and the end without that clause.

        It is the clause on `padding` if it leaves some out, and else what the class ends by.
        """
        return (padding, at + self.size) if used < self.size else (self.data_clause, at + self.without)


class Table(Protocol):
    """The queries about its parts that the construction of a class makes."""

    types: TypeTable
    policy: Policy

    def laid(self, asked: Class) -> Laid:
        """The layout of a class; raises `SilentError` where no text decides it, `AbsentError` for a type the C ABI lacks."""
        ...

    def c_type(self, c_type: CxxType) -> Type:
        """A type of C with the size and alignment of a type of C++."""
        ...

    def measured(self, asked: Class) -> tuple[int, int]:
        """Size and alignment of a class in bytes."""
        ...

    def extent(self, c_type: CxxType) -> Extent:
        """Size and alignment of a type in bytes."""
        ...

    def empties(self, c_type: CxxType) -> tuple[tuple[Class, int], ...]:
        """The subobjects of empty class in an object of a type, itself included, each with its offset in bytes."""
        ...

"""The places of the subobjects of a C++ object: a model's answers about a class.

Sizes and offsets are in bytes, unless their names say bits.
"""

from __future__ import annotations

import msgspec

from abiprobe.oracles.text.place import MemberPlace


class BasePlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A base subobject: the classes on the way to it from the complete object, its offset in bytes, and what decides it.

    `size` is what it occupies, its non-virtual size, and 0 for an empty one. The way to a virtual base, which is there once, begins at it. `primary` says that it is the primary base of the complete
    object, with which it shares its pointer to a virtual table.
    """

    path: tuple[str, ...]
    offset: int
    clause: str
    size: int = 0
    virtual: bool = False
    primary: bool = False
    empty: bool = False

    def __str__(self) -> str:
        return f"{'virtual ' if self.virtual else ''}{'::'.join(self.path)}"


class TablePointer(msgspec.Struct, frozen=True):
    """A pointer to a virtual table: its offset in bytes, and the classes on the way to the base that has it; none if it is the class's own."""

    path: tuple[str, ...]
    offset: int


class ClassLayout(msgspec.Struct, frozen=True):
    """The layout of a class, whose direct members and all of whose bases are told.

    An anonymous union has no name, and its members follow it. `pointers` are those to virtual tables in a complete object.

    `data_size`, `non_virtual_size` and `non_virtual_align` are the text's dsize, nvsize and nvalign. `pod` says that
    the class is a POD for the purpose of layout; `virtual_pointer` is the size of a pointer to a virtual table of its own, 0 where it
    has none. The clauses are those that decide the size, the alignment, the data size and the non-virtual size.
    """

    size: int
    align: int
    data_size: int
    non_virtual_size: int
    non_virtual_align: int
    members: tuple[MemberPlace, ...]
    bases: tuple[BasePlace, ...]
    pointers: tuple[TablePointer, ...]
    pod: bool
    empty: bool
    nearly_empty: bool
    virtual_pointer: int
    clause: str
    align_clause: str
    data_clause: str
    non_virtual_clause: str

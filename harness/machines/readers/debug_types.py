"""Types as debug information describes them: sizes in bytes, offsets in bits, members where a debugger would look."""

from __future__ import annotations

from math import prod
from typing import TypeAlias

import msgspec


class DebugScalar(msgspec.Struct, frozen=True):
    """A type that has no parts that `offsetof` can name."""

    size: int


class DebugArray(msgspec.Struct, frozen=True):
    """An array, of each dimension the number of elements, 0 where the DWARF gives none."""

    element: DebugType
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.element.size * prod(self.counts)


class DebugMember(msgspec.Struct, frozen=True):
    """A member; `bit_width` is `None` unless it is a bit-field, `name` empty for an anonymous record."""

    name: str
    bit_offset: int
    bit_width: int | None
    type: DebugType


class DebugRecord(msgspec.Struct, frozen=True):
    """A class, struct or union; `align` is the alignment that the DWARF states, if it does.

    `bases` are the direct bases at constant places, so no virtual ones, by the names of their types.
    """

    size: int
    align: int | None
    members: tuple[DebugMember, ...]
    bases: tuple[DebugMember, ...] = ()


DebugType: TypeAlias = "DebugScalar | DebugArray | DebugRecord"


def place(record: DebugType, path: str) -> tuple[int, int] | None:
    """Bit offset and width of what `offsetof` calls `path` (`in.b[1]`); `None` where the DWARF has no such thing."""
    at, width = 0, record.size * 8
    of_type = record
    for step in path.replace("[", ".[").split("."):
        if step.startswith("["):
            if not isinstance(of_type, DebugArray):
                return None
            of_type = _inner(of_type)
            at += int(step[1:-1]) * of_type.size * 8
            width = of_type.size * 8
            continue
        member = _find(of_type, step)
        if member is None:
            return None
        at += member.bit_offset
        of_type = member.type
        width = of_type.size * 8 if member.bit_width is None else member.bit_width
    return at, width


def _inner(array: DebugArray) -> DebugType:
    return DebugArray(array.element, array.counts[1:]) if len(array.counts) > 1 else array.element


def _find(of_type: DebugType, name: str) -> DebugMember | None:
    """The member of that name, at its place in the record, be it inside an anonymous one."""
    if not isinstance(of_type, DebugRecord):
        return None
    for member in of_type.members:
        if member.name == name:
            return member
        inner = None if member.name else _find(member.type, name)
        if inner is not None:
            return DebugMember(name, member.bit_offset + inner.bit_offset, inner.bit_width, inner.type)
    return None

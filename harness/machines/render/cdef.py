"""Declarations for libraries that know `packed` and `pack` as settings of a declaration, and no attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from abiprobe.harness.machines.render.c import definition
from abiprobe.oracles.language.lang import Member, Record, Type, declared


class Cdef(msgspec.Struct, frozen=True):
    """One definition; `packed`, and the `pack` (bytes) of `#pragma pack`, hold for every record in it."""

    text: str
    packed: bool = False
    pack: int | None = None


def cdefs(record: Record) -> Iterator[Cdef]:
    """The definitions that a record needs, its own last.

    Where settings cannot say what attributes and pragmas do, the text keeps them.
    """
    return cdefs_of((record,))


def cdefs_of(types: tuple[Type, ...]) -> Iterator[Cdef]:
    """The definitions that `types` need, innermost first."""
    named = declared(types)
    inside = {member.type for outer in named if isinstance(outer, Record) for member in anonymous(outer)}
    for item in named:
        if item in inside:
            continue
        if isinstance(item, Record) and uniform(item):
            # A packed record is as tight as any pragma would make it.
            yield Cdef(definition(bare(item)), item.packed, None if item.packed else item.pack)
        else:
            yield Cdef(definition(item))


def anonymous(record: Record) -> list[Member]:
    """The anonymous structs and unions among the members of a record."""
    return [member for member in record.members if not member.name and member.width is None]


def uniform(record: Record) -> bool:
    """Return whether a record has no attributes but those that settings express, for it and the anonymous ones in it."""
    plain = record.align is None and record.ms_struct is None
    return (
        plain
        and not any(member.packed or member.align is not None for member in record.members)
        and all(
            isinstance(member.type, Record)
            and uniform(member.type)
            and (member.type.packed, member.type.pack) == (record.packed, record.pack)
            for member in anonymous(record)
        )
    )


def bare(record: Record) -> Record:
    """A record without `packed` and `#pragma pack`, nor the anonymous ones in it."""
    inner = anonymous(record)
    members = tuple(
        msgspec.structs.replace(member, type=bare(member.type))
        if member in inner and isinstance(member.type, Record)
        else member
        for member in record.members
    )
    return msgspec.structs.replace(record, packed=False, pack=None, members=members)


def steps(path: str) -> list[str | int]:
    """The steps of a path as `offsetof` takes it: `in.b[1]` is `in`, `b`, 1."""
    return [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]

"""Simpler definitions of a struct or union."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.chunks import without_chunks
from abiprobe.generators.reduction.types import ALIGNMENTS, PLAIN, simpler
from abiprobe.oracles.language.lang import Array, Member, Position, Record, strip


def simpler_records(record: Record) -> Iterator[Record]:
    """Definitions to try instead of that of `record`, the most drastic first; some are not C."""
    yield from (replace(record, members=members) for members in without_chunks(record.members))
    yield from attributes_dropped(record)
    yield from (replace(record, members=members) for members in hoisted(record.members))
    yield from all_plain(record)
    for index, member in enumerate(record.members):
        for changed in simpler_members(member):
            yield replace(record, members=(*record.members[:index], changed, *record.members[index + 1 :]))


def attributes_dropped(record: Record) -> Iterator[Record]:
    """Without what is written on the record as a whole."""
    yield replace(record, packed=False, align=None, pack=None, ms_struct=None)
    yield replace(record, packed=False)
    yield replace(record, align=None)
    yield replace(record, pack=None)
    yield replace(record, ms_struct=None)
    yield replace(record, union=False)
    if record.align is not None:
        yield from (replace(record, align=align) for align in ALIGNMENTS)
    if record.pack is not None:
        yield from (replace(record, pack=pack) for pack in (1, 2, 4))


def hoisted(members: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """The members of a nested record, or the element of an array of them, in its place."""
    for index, member in enumerate(members):
        inner = strip(member.type)
        if isinstance(inner, Record):
            yield (*members[:index], *inner.members, *members[index + 1 :])


def all_plain(record: Record) -> Iterator[Record]:
    """Every member of one plain type, with their widths and attributes, or without."""
    for plain in PLAIN:
        named = tuple(
            replace(member, type=plain) if member.name and not isinstance(member.type, Array) else member
            for member in record.members
        )
        yield replace(record, members=named)
    bare = tuple(
        replace(member, packed=False, align=None, alignas=None, position=Position.AFTER)
        for member in record.members
    )
    yield replace(record, members=bare)


def simpler_members(member: Member) -> Iterator[Member]:
    """One member with less written on it, or of a simpler type."""
    if member.width is not None and member.name:
        yield replace(member, width=None)
    yield replace(member, packed=False)
    yield replace(member, align=None)
    yield replace(member, alignas=None)
    yield replace(member, position=Position.AFTER)
    for align in ALIGNMENTS:
        if member.align is not None:
            yield replace(member, align=align)
        if member.alignas is not None:
            yield replace(member, alignas=align)
    yield from (replace(member, type=c_type) for c_type in simpler(member.type))
    if member.width:
        yield from (
            replace(member, width=width) for width in (1, 8, member.width // 2, member.width - 1) if width
        )

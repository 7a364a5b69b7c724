"""Records as pcc 1.2 lays them out (`soumemb`, `falloc` and `dclstruct` in its pftn.c, `gcc_tcattrfix` where they are packed)."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.records import Field, LayoutClauses, Shape, round_up
from abiprobe.oracles.language.lang import Array, Member, Pointer, Record, Type, strip

BYTE = 8


def pcc_shape(record: Record, extents: tuple[Extent, ...], text: LayoutClauses, pack: int | None) -> Shape:
    """The members of a record in pcc's places, packed ones placed once more."""
    members = tuple(zip(record.members, extents, strict=True))
    starts, end, align = plain_places(record, members)
    limit = 1 if record.packed else None if pack is None else pack * BYTE
    if limit is not None:
        starts, end, align = packed_places(record, members, limit)
    fields = tuple(
        Field(
            member,
            start,
            extent.size * 8 if member.width is None else member.width,
            text.member,
            align // BYTE,
        )
        for (member, extent), start in zip(members, starts, strict=True)
    )
    size = round_up(end, align) // BYTE
    # The size is not rounded up to what is asked of the record.
    told = record.align if record.align and limit is None else align // BYTE
    return Shape(size, told, fields, text.member, user=False, natural=align // BYTE)


def alignment(member: Member, extent: Extent) -> int:
    """The alignment in bits of a member; nothing aligns a pointer otherwise, and `_Alignas` nothing at all."""
    asked = None if holds_pointer(member.type) else member.align
    return (asked or extent.align) * BYTE


def holds_pointer(c_type: Type) -> bool:
    """Return whether a type is a pointer or an array of them."""
    plain = strip(c_type)
    while isinstance(plain, Array):
        plain = strip(plain.element)
    return isinstance(plain, Pointer)


def plain_places(record: Record, members: tuple[tuple[Member, Extent], ...]) -> tuple[list[int], int, int]:
    """The bits at which members start, the one behind the last of them, and the alignment in bits.

    In a union what has a name starts anew, and what has none goes on where the member before it ended.
    """
    starts, at, align, largest = [], 0, BYTE, 0
    for member, extent in members:
        named = bool(member.name) or member.width is None
        at = 0 if record.union and named else at
        if member.width is None:
            start = round_up(at, alignment(member, extent))
            width = extent.size * 8
        else:
            start = bit_field_start(at, member.width, extent)
            width = member.width
        at = start + width
        starts.append(start)
        if named:
            align = round_up(align, alignment(member, extent))
            largest = max(largest, width)
    return starts, max(at, largest), align


def bit_field_start(at: int, width: int, extent: Extent) -> int:
    """The bit at which a bit-field starts: the next one, unless it would leave a unit of its type there."""
    unit = extent.align * BYTE
    return round_up(at, unit) if not width or at % unit + width > extent.size * 8 else at


def packed_places(
    record: Record, members: tuple[tuple[Member, Extent], ...], limit: int
) -> tuple[list[int], int, int]:
    """The same of a packed record: each member that has a name at its alignment, `limit` bits at most, one without nowhere."""
    starts, at, end, align = [], 0, 0, BYTE
    for member, extent in members:
        if not member.name and member.width is not None:
            starts.append(at)
            continue
        own = min(alignment(member, extent), limit)
        align = max(align, own)
        start = round_up(at, own)
        # Behind a bit-field a member begins inside a byte, and is told to be at that byte.
        starts.append(start if member.width is not None else start // BYTE * BYTE)
        at = start + (extent.size * 8 if member.width is None else member.width)
        end = max(end, at)
        at = 0 if record.union else at
    return starts, end, align

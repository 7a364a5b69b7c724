"""Records as tcc 0.9.27 lays them out (`struct_layout` in its tccgen.c), attributes and all."""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.records import Field, LayoutClauses, Shape, round_up
from abiprobe.oracles.language.lang import Array, Member, Record, Type, Typedef


@dataclass
class Place:
    """The state of a record under construction: whole bytes, bits behind them, size of the largest member, alignment."""

    bytes: int = 0
    bits: int = 0
    largest: int = 0
    align: int = 1

    def close(self, align: int) -> None:
        """Go on at the next byte of an alignment, behind the bits."""
        self.bytes = round_up(self.bytes + (self.bits + 7) // 8, align)
        self.bits = 0


@dataclass(frozen=True)
class Asked:
    """A member: bytes, alignment, whether one was `written`, be it one that `#pragma pack` overrides, and the bits of a bit-field."""

    size: int
    align: int
    written: bool
    packed: bool
    width: int | None


def tcc_shape(record: Record, extents: tuple[Extent, ...], text: LayoutClauses, pack: int | None) -> Shape:
    """The members of a record in tcc's places."""
    place = Place()
    fields = []
    for member, extent in zip(record.members, extents, strict=True):
        asked = asked_for(record, member, extent, pack)
        start = in_union(place, asked) if record.union else in_struct(place, asked, member)
        bits = extent.size * 8 if member.width is None else member.width
        # To tcc a member's alignment is that of its type.
        fields.append(
            Field(member, start, bits, text.member, 0 if member.width is not None else extent.align)
        )
    place.close(1)
    align = max(place.align, record.align or 1)
    size = round_up(max(place.bytes, place.largest), align)
    return Shape(size, align, tuple(fields), text.member, user=False, natural=place.align)


def asked_for(record: Record, member: Member, extent: Extent, pack: int | None) -> Asked:
    """A member as tcc takes it. Where it has more than one alignment, the last one written counts, be it the least.

    A bit-field that fills its type is none, unless it is itself packed.
    """
    width = None if member.width == extent.size * 8 and not member.packed else member.width
    written = member.align or member.alignas or named_alignment(member.type)
    align, packed = extent.align, False
    if width != 0:
        packed = record.packed or member.packed or pack is not None
        align = 1 if record.packed or member.packed else align
        if pack is not None:
            align = min(align, pack)
    overridden = pack is not None and width != 0 and pack < written
    return Asked(extent.size, align if overridden else written or align, bool(written), packed, width)


def named_alignment(c_type: Type) -> int:
    """The alignment in bytes that a typedef name gives a type, or the elements of an array; 0 if none does."""
    while isinstance(c_type, (Array, Typedef)):
        if isinstance(c_type, Typedef) and c_type.align is not None:
            return c_type.align
        c_type = c_type.element if isinstance(c_type, Array) else c_type.base
    return 0


def in_union(place: Place, asked: Asked) -> int:
    """A member of a union; a bit-field has the bytes that its bits need, and aligns the union even if it has no name."""
    size = asked.size if asked.width is None else (asked.width + 7) // 8
    place.largest = max(place.largest, size)
    place.align = max(place.align, asked.align)
    return 0


def in_struct(place: Place, asked: Asked, member: Member) -> int:
    """A member of a structure, and the bit at which it starts."""
    if asked.width is None:
        place.close(asked.align)
        start = place.bytes * 8
        place.bytes += asked.size
    else:
        start = of_bits(place, asked, asked.width)
    if asked.width is None or member.name:
        place.align = max(place.align, asked.align)
    return start


def of_bits(place: Place, asked: Asked, width: int) -> int:
    """A bit-field behind the one before it, unless it has an alignment of its own, or would leave a unit of its type."""
    unit = asked.align * 8
    units = -(-((place.bytes * 8 + place.bits) % unit + width) // unit)
    leaves = not asked.packed and units > asked.size // asked.align
    if not width or asked.written or leaves:
        place.close(asked.align)
    while place.bits >= unit:
        place.bytes += asked.align
        place.bits -= unit
    start = place.bytes * 8 + place.bits
    place.bits += width
    return start

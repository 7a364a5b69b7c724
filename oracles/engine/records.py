"""Natural layout of records and the System V bit-field discipline, shared by the ABIs that state it.

An ABI lends its own clauses (`LayoutClauses`), so that every offset cites the text of the ABI that was asked.
The GNU attributes cite the GCC manual, whatever the ABI.
"""

from __future__ import annotations

from dataclasses import dataclass

from abiprobe.oracles.clause import load_sheet
from abiprobe.oracles.lang import Member, Record, Type

GNU = load_sheet("abiprobe.oracles.engine", "gnu")
PACKED = GNU.cite("packed")
ALIGNED = GNU.cite("aligned")
PRAGMA_PACK = GNU.cite("pragma-pack")
EMPTY_RECORD = GNU.cite("empty-record")
ZERO_LENGTH = GNU.cite("zero-length-array")


@dataclass(frozen=True)
class LayoutClauses:
    """The clauses of one ABI that decide record layout."""

    member: str
    union: str
    bit_field: str
    unnamed_bit_field: str
    zero_width: str


@dataclass(frozen=True)
class Extent:
    """Size and alignment of a type in bytes, and the clause that gave them."""

    size: int
    align: int
    clause: str


@dataclass(frozen=True)
class Field:
    """A direct member in its place: offsets and width in bits from the start of the record."""

    member: Member
    bit_offset: int
    bit_width: int
    clause: str

    @property
    def type(self) -> Type:
        """The declared type of the member."""
        return self.member.type

    @property
    def is_bit_field(self) -> bool:
        """Whether the member is a bit-field, named or not."""
        return self.member.width is not None

    @property
    def is_unnamed_bit_field(self) -> bool:
        """Whether the member is padding: an unnamed bit-field."""
        return self.is_bit_field and not self.member.name


@dataclass(frozen=True)
class Shape:
    """A laid-out record: size and alignment in bytes, its members in order."""

    size: int
    align: int
    fields: tuple[Field, ...]
    clause: str


def round_up(value: int, unit: int) -> int:
    """The smallest multiple of `unit` that is not below `value`."""
    return -(-value // unit) * unit


@dataclass
class _Cursor:
    """How far a record under construction reaches, in bits, and its alignment so far, in bytes."""

    end: int = 0
    widest: int = 0
    align: int = 1


def member_alignment(record: Record, member: Member, natural: Extent) -> tuple[int, str]:
    """The alignment in bytes that a member asks for, and the clause that had the last word."""
    align, clause = natural.align, ""
    if record.packed or member.packed:
        align, clause = 1, PACKED
    for asked in (member.align, member.alignas):
        if asked is not None and asked > align:
            align, clause = asked, ALIGNED
    if record.pack is not None and record.pack < align:
        align, clause = record.pack, PRAGMA_PACK
    return align, clause


def place_ordinary(
    cursor: _Cursor, record: Record, member: Member, extent: Extent, text: LayoutClauses
) -> Field:
    """Put a member that is no bit-field at the lowest offset that suits its alignment."""
    align, clause = member_alignment(record, member, extent)
    start = 0 if record.union else round_up(cursor.end, align * 8)
    cursor.align = max(cursor.align, align)
    cursor.end = start + extent.size * 8
    cursor.widest = max(cursor.widest, cursor.end)
    return Field(member, start, extent.size * 8, clause or (text.union if record.union else text.member))


def place_zero_width(
    cursor: _Cursor, record: Record, member: Member, extent: Extent, text: LayoutClauses
) -> Field:
    """Close the current storage unit: what follows starts at a boundary of the declared type."""
    if not record.union:
        unit = min(extent.align, record.pack or extent.align)
        cursor.end = round_up(cursor.end, unit * 8)
    return Field(member, cursor.end if not record.union else 0, 0, text.zero_width)


def place_bit_field(
    cursor: _Cursor, record: Record, member: Member, extent: Extent, text: LayoutClauses
) -> Field:
    """Put a bit-field at the next bit, unless it would leave the storage unit of its declared type."""
    width = member.width or 0
    align, clause = member_alignment(record, member, extent)
    explicit = max(member.align or 1, member.alignas or 1)
    start = 0 if record.union else cursor.end
    if explicit > 1 and (record.pack is None or explicit <= record.pack):
        start = round_up(start, explicit * 8)
    spans = start % (align * 8) + width > extent.size * 8
    if spans and record.pack is None and not (record.packed or member.packed):
        start = round_up(start, align * 8)
    if member.name:
        cursor.align = max(cursor.align, align)
    cursor.end = start + width
    cursor.widest = max(cursor.widest, cursor.end)
    return Field(member, start, width, clause or (text.bit_field if member.name else text.unnamed_bit_field))


def lay_out(record: Record, extents: tuple[Extent, ...], text: LayoutClauses) -> Shape:
    """Lay out `record`, whose members' types have the given extents, in order."""
    cursor = _Cursor()
    fields = []
    for member, extent in zip(record.members, extents, strict=True):
        if member.width is None:
            place = place_ordinary
        elif member.width == 0:
            place = place_zero_width
        else:
            place = place_bit_field
        fields.append(place(cursor, record, member, extent, text))
    align = max(cursor.align, record.align or 1)
    size = round_up(cursor.widest if record.union else cursor.end, align * 8) // 8
    clause = EMPTY_RECORD if not record.members else text.union if record.union else text.member
    return Shape(size, align, tuple(fields), clause)

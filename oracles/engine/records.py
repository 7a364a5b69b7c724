"""Records: members in their places, by the System V discipline or the Microsoft one.

An ABI lends its own clauses (`LayoutClauses`), so that every offset cites the text of the ABI that was asked.
The GNU attributes cite the GCC manual, whatever the ABI.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from abiprobe.oracles.engine.attributes import ALIGNED, GNU, Extent, Wish, member_alignment, wish
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.language.lang import Array, Member, Record, Type, Vector, spelling, strip

EMPTY_RECORD = GNU.cite("empty-record")
ZERO_LENGTH = GNU.cite("zero-length-array")


@dataclass(frozen=True)
class LayoutClauses:
    """The clauses of one ABI that decide record layout.

    `scalar` gives the sizes of ordinary scalars, `member` and `union` the places of members of a struct and of a union that are no
    bit-fields, `bit_field`, `unnamed_bit_field` and `zero_width` those of the three sorts of bit-fields.
    `unnamed_align` says that bit-fields without a name count for the alignment of a record, zero-width ones included.
    `unit` is the size in bits of the storage units that no bit-field crosses, where it is not that of its type (0), and
    `too_wide` is the clause that is silent on bit-fields which no such unit holds. Where `silent_unnamed`, the clauses on bit-fields
    without a name are silent.
    Where gcc takes bit-fields bit after bit, whatever their types, `bit_boundary` is the bits to which one of width zero aligns.
    The text says nothing of any bit-field where they are `open_bits`.
    """

    scalar: str
    member: str
    union: str
    bit_field: str
    unnamed_bit_field: str
    zero_width: str
    unnamed_align: bool = False
    unit: int = 0
    too_wide: str = ""
    silent_unnamed: bool = False
    bit_boundary: int = 0
    open_bits: bool = False


class Field(msgspec.Struct, frozen=True):
    """A direct member in its place: offsets and width in bits from the start of the record.

    `align` (bytes) is the alignment of a member that is no bit-field, attributes included; 0 where no text tells it.
    """

    member: Member
    bit_offset: int
    bit_width: int
    clause: str
    align: int = 0

    @property
    def type(self) -> Type:
        """The declared type of the member."""
        return self.member.type

    @property
    def is_bit_field(self) -> bool:
        """Return whether the member is a bit-field, named or not."""
        return self.member.width is not None

    @property
    def is_unnamed_bit_field(self) -> bool:
        """Return whether the member is padding: an unnamed bit-field."""
        return self.is_bit_field and not self.member.name


class Shape(msgspec.Struct, frozen=True):
    """A laid-out record: size and alignment in bytes, its members in order.

    `natural` is the alignment that the members give it, without what is asked of the record. `loose` is the clause that leaves
    open whether the alignment is this or less. `held` is the alignment that gcc gives a record held as one number where only
    an `ms_struct` sees it; 0 where it is that of the record.
    """

    size: int
    align: int
    fields: tuple[Field, ...]
    clause: str
    user: bool
    natural: int
    loose: str = ""
    held: int = 0


class Rules(msgspec.Struct, frozen=True):
    """The rules of a record's layout: the ABI's clauses, a reading, and the limits on alignments (bytes) in force.

    `integers` gives the alignment in bytes of the integer type of each width in bits. `chunk` (bits) is the
    alignment to which gcc knows a place inside the record. `packs_ms_units` is that of the data model. By the `microsoft`
    discipline gcc does not take what a typedef name asks of a bit-field's unit for a wish of the record's. Attributes behind a star are
    the member's where it is so said (`on_member`). `packs_zero_width` says that `#pragma pack` limits a zero-width bit-field to
    clang, too. `plain_flexible_arrays` are not aligned to the size of their elements. `ms_units_in_a_byte` says that the bits of
    a storage unit are counted in a byte.
    """

    text: LayoutClauses
    reading: Reading
    union: bool
    pack: int | None
    pack_zero_width: int | None
    integers: Mapping[int, int]
    chunk: int
    packs_ms_units: bool
    microsoft: bool
    on_member: bool | None = None
    packs_zero_width: bool = False
    plain_flexible_arrays: bool = False
    ms_units_in_a_byte: bool = False

    def deciding_clause(self, extent: Extent) -> str:
        """Return the clause that decides a type's alignment, or the one on members if nothing beyond membership matters."""
        own = self.text.union if self.union else self.text.member
        return own if extent.clause == self.text.scalar else extent.clause


@dataclass
class Cursor:
    """The state of a record under construction: its extent so far in bits, and its alignment so far in bytes.

    `unit` and `left` are the size in bits of the storage unit that the Microsoft discipline has open, and the
    bits left in it; 0 when there is none.
    """

    end: int = 0
    widest: int = 0
    align: int = 1
    align_clause: str = ""
    unit: int = 0
    left: int = 0

    def raise_align(self, align: int, clause: str) -> None:
        """Note that a member asks for `align` bytes, and the clause that gave it to it."""
        if align > self.align or not self.align_clause:
            self.align, self.align_clause = align, clause

    def advance(self, end: int) -> None:
        """Note that a member ends at bit `end`."""
        self.end = end
        self.widest = max(self.widest, end)


Placer: TypeAlias = Callable[[Cursor, Rules, Member, Extent, Wish], Field]
Placers: TypeAlias = tuple[Placer, Placer, Placer]
"""The functions that place an ordinary member, a zero-width bit-field, and any other bit-field."""


class OwnRules(msgspec.Struct, frozen=True):
    """Rules of an ABI's own for records, neither System V's nor `ms_struct`.

    `placers` put the members. Two clauses are silent: `gcc_struct` on records which ask for other bit-fields, and `lowered`
    on members of a type that a typedef name aligns to less. So is `packing` on members aligned to more than `PACKING` bytes, where
    the compiler of the text packs members to as much when nothing else is asked; empty where it does not.
    """

    placers: Placers
    gcc_struct: str
    lowered: str
    packing: str = ""


PACKING = 8
"""The bytes to which a compiler packs members by default."""


def round_up(value: int, unit: int) -> int:
    """The smallest multiple of `unit` that is not below `value`."""
    return -(-value // unit) * unit


def holds_record(c_type: Type) -> bool:
    """Return whether a type is a struct or union, or an array of them."""
    plain = strip(c_type)
    while isinstance(plain, Array):
        plain = strip(plain.element)
    return isinstance(plain, Record)


def place_ordinary(cursor: Cursor, rules: Rules, member: Member, extent: Extent, asked: Wish) -> Field:
    """Put a member that is no bit-field at the lowest offset that suits its alignment."""
    align, clause = member_alignment(asked, rules.pack)
    start = 0 if rules.union else round_up(cursor.end, align * 8)
    cursor.advance(start + extent.size * 8)
    if not clause and (extent.clause == ALIGNED or isinstance(strip(member.type), Vector)):
        clause = extent.clause
    cursor.raise_align(align, clause or rules.deciding_clause(extent))
    if not clause:
        # A member without bytes, or with members of its own, has its place by the rule of the record.
        own = rules.text.union if rules.union else rules.text.member
        clause = own if not extent.size or holds_record(member.type) else rules.deciding_clause(extent)
    return Field(member, start, extent.size * 8, clause, align)


def is_asked_for(record: Record, rules: Rules, member: Member, extent: Extent) -> bool:
    """Return whether an attribute affects a member's alignment, on itself or on its type.

    To gcc one that asks for less than the type has none, unless the member is packed or a bit-field.
    """
    gcc = rules.reading is Reading.GCC
    explicit = max(member.align or 0, member.alignas or 0)
    raised = explicit >= extent.align or record.packed or member.packed or member.width is not None
    if explicit and (raised or not gcc):
        return True
    return extent.user and not (gcc and rules.microsoft and member.width is not None)


def lay_out(record: Record, extents: tuple[Extent, ...], rules: Rules, placers: Placers) -> Shape:
    """Lay out `record`, whose members' types have the given extents, in order.

    `placers` put an ordinary member, a zero-width bit-field, and any other bit-field. Raises `AbsentError` for a bit-field
    that is wider than its type, which C does not allow.
    """
    ordinary, zero_width, bit_field = placers
    cursor = Cursor()
    fields = []
    for member, extent in zip(record.members, extents, strict=True):
        if (member.width or 0) > extent.size * 8:
            raise AbsentError(f"{spelling(member.type)} has no {member.width} bits")
        place = ordinary if member.width is None else bit_field if member.width else zero_width
        fields.append(
            place(
                cursor,
                rules,
                member,
                extent,
                wish(record, member, extent, rules.reading, on_member=rules.on_member),
            )
        )
    align = max(cursor.align, record.align or 1)
    size = round_up(max(cursor.end + cursor.left, cursor.widest), align * 8) // 8
    user = record.align is not None or any(
        is_asked_for(record, rules, member, extent)
        for member, extent in zip(record.members, extents, strict=True)
    )
    clause = ALIGNED if (record.align or 1) > cursor.align else cursor.align_clause
    if not clause:
        clause = (
            EMPTY_RECORD if not record.members else rules.text.union if record.union else rules.text.member
        )
    return Shape(size, align, tuple(fields), clause, user, cursor.align)

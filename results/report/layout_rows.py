"""The rows of a record's layout: its declaration with offsets and sizes, holes, and the sums below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.declaration import attributes, declare, declare_member, head
from abiprobe.oracles.language.lang import Array, Atomic, Record, Type, Typedef, declared


class RowKind(Enum):
    """The kind of a row in a layout."""

    CODE = "code"
    """a line of C that has no place of its own"""
    MEMBER = "member"
    """a member and its place"""
    GAP = "gap"
    """bits that no member occupies"""
    SUM = "sum"
    """a figure about the whole record"""


class LayoutRow(NamedTuple):
    """One line; `place` is the comment beside it, `clause` decided it. `depth` counts enclosing braces."""

    kind: RowKind
    depth: int
    specifier: str = ""
    declarator: str = ""
    place: str = ""
    clause: str = ""


@dataclass
class Sums:
    """The sums of a record's direct members: bytes of members and holes, bits of bit-fields and bit holes."""

    members: int = 0
    bytes: int = 0
    bits: int = 0
    holes: list[int] = field(default_factory=list)
    bit_holes: list[int] = field(default_factory=list)
    end: int = 0

    def add(self, item: Field) -> None:
        """Count one member."""
        self.members += 1
        if item.is_bit_field:
            self.bits += item.bit_width
        else:
            self.bytes += item.bit_width // 8
        if item.bit_width:
            self.end = max(self.end, item.bit_offset + item.bit_width)

    def gap(self, start: int, end: int) -> str:
        """Count the bits `[start, end)` of the record as a hole, and say how large it is."""
        if start % 8 or end % 8:
            self.bit_holes.append(end - start)
            return f"{plural(end - start, 'bit')} hole"
        self.holes.append((end - start) // 8)
        return f"{plural((end - start) // 8, 'byte')} hole"


def plural(count: int, unit: str, width: int = 0) -> str:
    """`1 byte`, `2 bytes`; the number takes at least `width` columns."""
    return f"{count:{width}} {unit}{'' if count == 1 else 's'}"


def room(bits: int) -> str:
    """So many bits, in bytes where they are whole ones."""
    return plural(bits, "bit") if bits % 8 else plural(bits // 8, "byte")


def layout_rows(types: TypeTable, record: Record) -> Iterator[LayoutRow]:
    """The whole layout of `record`, whose types must all be known to `types`."""
    for name in declared((record,)):
        if isinstance(name, Typedef):
            align = attributes(packed=False, align=name.align)
            yield LayoutRow(RowKind.CODE, 0, f"typedef {declare(name.base, name.name)}{align};")
    bit_fields = has_bit_fields(record)
    yield LayoutRow(
        RowKind.CODE, 0, f"{head(record)} {{", place="offset:bit    size" if bit_fields else "offset  size"
    )
    sums = Sums()
    yield from member_rows(types, record, 0, 1, sums, bit_fields=bit_fields)
    yield from sum_rows(types, record, sums)
    yield LayoutRow(RowKind.CODE, 0, closing(record, ""))


def member_rows(
    types: TypeTable, record: Record, at: int, depth: int, sums: Sums, *, bit_fields: bool
) -> Iterator[LayoutRow]:
    """The members of a record that starts at byte `at` of the outermost one, holes between them."""
    for item in types.shape(record).fields:
        # What has no bits ends no hole: the hole belongs before the next member that has some.
        if item.bit_width and not record.union and item.bit_offset > sums.end:
            yield LayoutRow(
                RowKind.GAP, depth, place=f"XXX {sums.gap(sums.end, item.bit_offset)}, try to pack"
            )
        sums.add(item)
        inner = opened(item.type)
        if inner is None or item.is_bit_field:
            yield leaf_row(types, item, at, depth, bit_fields=bit_fields)
        else:
            yield from nested_rows(types, item, inner, at, depth, bit_fields=bit_fields)


def nested_rows(
    types: TypeTable, item: Field, inner: Record, at: int, depth: int, *, bit_fields: bool
) -> Iterator[LayoutRow]:
    """A member that is a record or an array of records, opened; of an array, the first element."""
    start = at + item.bit_offset // 8
    named = declare_member(item.member)
    comment = "" if named.specifier.endswith(head(inner)) or not inner.tag else f"  /* {named.specifier} */"
    yield LayoutRow(RowKind.CODE, depth, f"{head(inner)} {{{comment}")
    sums = Sums()
    yield from member_rows(types, inner, start, depth + 1, sums, bit_fields=bit_fields)
    spare = types.shape(inner).size * 8 - sums.end
    if spare:
        yield LayoutRow(RowKind.GAP, depth + 1, place=f"XXX {room(spare)} of padding")
    place = place_of_bytes(start, item.bit_width // 8, bit_fields=bit_fields)
    yield LayoutRow(RowKind.MEMBER, depth, closing(inner, named.declarator), place=place, clause=item.clause)


def leaf_row(types: TypeTable, item: Field, at: int, depth: int, *, bit_fields: bool) -> LayoutRow:
    """A member that is not opened."""
    if item.is_bit_field:
        place = place_of_bits(item, types.extent(item.type).size, at)
    else:
        place = place_of_bytes(at + item.bit_offset // 8, item.bit_width // 8, bit_fields=bit_fields)
    named = declare_member(item.member)
    return LayoutRow(RowKind.MEMBER, depth, named.specifier, f"{named.declarator};", place, item.clause)


def place_of_bytes(offset: int, size: int, *, bit_fields: bool) -> str:
    """Offset and size in bytes, in the columns that a record with bit-fields has."""
    return f"{offset:6}    {plural(size, 'byte', 3):9}" if bit_fields else f"{offset:6}{size:6}"


def place_of_bits(item: Field, unit: int, at: int) -> str:
    """The storage unit (`unit` bytes) in which a bit-field starts, its first bit there, and its width."""
    first = item.bit_offset // (unit * 8) * unit
    return bit_columns(at + first, item.bit_offset - first * 8, item.bit_width)


def bit_columns(byte: int, bit: int, width: int) -> str:
    """A byte, a bit counted from there and a width in bits, in the columns that a record with bit-fields has."""
    return f"{byte:6}:{bit:2} {plural(width, 'bit', 3):9}"


def closing(record: Record, declarator: str) -> str:
    """Return the closing of a definition: attributes of the record, and the declarator."""
    pack = "" if record.pack is None else f" /* #pragma pack({record.pack}) */"
    attribute = attributes(packed=record.packed, align=record.align)
    return f"}}{attribute}{declarator and ' '}{declarator};{pack}"


def sum_rows(types: TypeTable, record: Record, sums: Sums) -> Iterator[LayoutRow]:
    """Size, alignment and what they are made of."""
    shape = types.shape(record)
    spare = shape.size * 8 - sums.end
    padding = f"padding: {spare // 8}" + (f", bit padding: {spare % 8} bits" if spare % 8 else "")
    holes = f"sum members: {sums.bytes}, holes: {len(sums.holes)}, sum holes: {sum(sums.holes)}, {padding}"
    size = f"size: {shape.size}, align: {shape.align}, members: {sums.members}"
    yield LayoutRow(RowKind.CODE, 0)
    yield LayoutRow(RowKind.SUM, 1, place=size, clause=shape.clause)
    yield LayoutRow(RowKind.SUM, 1, place=padding if record.union else holes)
    if not record.union and (sums.bits or sums.bit_holes):
        count, total = len(sums.bit_holes), sum(sums.bit_holes)
        bits = f"sum bit-fields: {sums.bits} bits, bit holes: {count}, sum bit holes: {total} bits"
        yield LayoutRow(RowKind.SUM, 1, place=bits)


def has_bit_fields(record: Record) -> bool:
    """Return whether a bit-field is among the members that a layout of `record` shows."""
    return any(
        member.width is not None or ((inner := opened(member.type)) is not None and has_bit_fields(inner))
        for member in record.members
    )


def opened(c_type: Type) -> Record | None:
    """The record whose members are shown for a member of type `c_type`."""
    while isinstance(c_type, (Array, Atomic, Typedef)):
        c_type = c_type.element if isinstance(c_type, Array) else c_type.base
    return c_type if isinstance(c_type, Record) else None

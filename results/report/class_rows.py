"""The rows of a C++ class's layout: the virtual pointer, bases and members with holes, and what may lie in its tail padding."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.oracles.language.classes import Class, DataMember, lengths, spelling
from abiprobe.oracles.language.classes import element as element_of
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import MemberPlace
from abiprobe.results.report.layout_rows import LayoutRow, RowKind, bit_columns, place_of_bytes, plural, room

VIRTUAL_POINTER = "(virtual pointer)"


class Subobject(msgspec.Struct, frozen=True):
    """A direct subobject or the virtual pointer: offset and size in bits, how it is declared, and the clause that places it."""

    offset: int
    size: int
    specifier: str
    declarator: str
    clause: str
    bit_field: bool = False


def class_head(asked: Class) -> str:
    """Return the opening of a definition: `struct B final : A, virtual V`."""
    specifier = f" alignas({asked.alignas})" if asked.alignas is not None else ""
    bases = ", ".join(f"{'virtual ' * base.virtual}{base.type.tag}" for base in asked.bases)
    return f"{asked.keyword}{specifier} {asked.tag}{' final' * asked.final}{' : ' * bool(bases)}{bases}"


def class_rows(asked: Class, layout: ClassLayout) -> Iterator[LayoutRow]:
    """The whole layout of a class; of several subobjects at one offset those without bytes come first."""
    found = sorted(parts(asked, layout), key=lambda part: (part.offset, bool(part.size)))
    bit_fields = any(part.bit_field for part in found)
    heading = "offset:bit    size" if bit_fields else "offset  size"
    yield LayoutRow(RowKind.CODE, 0, f"{class_head(asked)} {{", place=heading)
    end = 0
    for part in found:
        if not asked.union and part.size and part.offset > end:
            yield LayoutRow(RowKind.GAP, 1, place=f"XXX {room(part.offset - end)} hole")
        end = max(end, part.offset + part.size)
        place = (
            bit_columns(part.offset // 8, part.offset % 8, part.size)
            if part.bit_field
            else place_of_bytes(part.offset // 8, part.size // 8, bit_fields=bit_fields)
        )
        yield LayoutRow(RowKind.MEMBER, 1, part.specifier, part.declarator, place, part.clause)
    yield LayoutRow(RowKind.CODE, 0)
    yield from sum_rows(asked, layout)
    yield LayoutRow(RowKind.CODE, 0, "};")


def parts(asked: Class, layout: ClassLayout) -> Iterator[Subobject]:
    """The virtual pointer, direct and virtual bases, and members."""
    if layout.virtual_pointer:
        yield Subobject(0, layout.virtual_pointer * 8, VIRTUAL_POINTER, "", layout.non_virtual_clause)
    for base in layout.bases:
        if len(base.path) == 1:
            kind = "virtual base" if base.virtual else "primary base" if base.primary else "base"
            size = 0 if base.empty else base.size
            yield Subobject(base.offset * 8, size * 8, f"({kind} {base.path[0]})", "", base.clause)
    declared = {item.name: item for item in asked.members}
    for place in layout.members:
        yield member_part(declared[place.path], place)


def member_part(item: DataMember, place: MemberPlace) -> Subobject:
    """A data member."""
    overlapping = "[[no_unique_address]] " * item.no_unique_address
    specifier = f"{overlapping}{spelling(element_of(item.type))}"
    width = "" if item.width is None else f":{item.width}"
    declarator = f"{item.name}{lengths(item.type)}{width};"
    return Subobject(
        place.bit_offset, place.bit_width, specifier, declarator, place.clause, item.width is not None
    )


def sum_rows(asked: Class, layout: ClassLayout) -> Iterator[LayoutRow]:
    """Sizes and alignments, what the class is, and the tail padding that something else may use."""
    size = f"size: {layout.size}, align: {layout.align}"
    yield LayoutRow(RowKind.SUM, 1, place=size, clause=layout.clause)
    data = f"data size: {layout.data_size}{reused(layout.size - layout.data_size, 'an overlapping member')}"
    yield LayoutRow(RowKind.SUM, 1, place=data, clause=layout.data_clause)
    if not asked.union and not asked.final:
        tail = reused(layout.size - layout.non_virtual_size, "what follows it in a derived class")
        base = f"as a base: {layout.non_virtual_size}, align: {layout.non_virtual_align}{tail}"
        yield LayoutRow(RowKind.SUM, 1, place=base, clause=layout.non_virtual_clause)
    kinds = (
        (layout.pod, "POD for the purpose of layout"),
        (layout.empty, "empty"),
        (layout.nearly_empty, "nearly empty"),
    )
    said = ", ".join(text for holds, text in kinds if holds)
    if said:
        yield LayoutRow(RowKind.SUM, 1, place=said)


def reused(tail: int, who: str) -> str:
    """Return how much of a class's tail padding others may use, in words."""
    return f", tail padding of {plural(tail, 'byte')} for {who}" if tail > 0 else ""

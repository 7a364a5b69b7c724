"""The rows of a C++ class's layout: the virtual pointer, bases and members with holes, and what may lie in its tail padding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.oracles.language.classes import Class, DataMember, lengths, spelling
from abiprobe.oracles.language.classes import element as element_of
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import MemberPlace
from abiprobe.results.report.layout_rows import LayoutRow, RowKind, bit_columns, place_of_bytes, plural, room

VIRTUAL_POINTER = "(virtual pointer)"


class Subobject(msgspec.Struct, frozen=True):
    """A direct subobject or the virtual pointer: offset and size in bits, how it is declared, and the clause that places it.

    `within` are the members of an anonymous union or struct.
    """

    offset: int
    size: int
    specifier: str
    declarator: str
    clause: str
    bit_field: bool = False
    within: tuple[Subobject, ...] = ()


def class_head(asked: Class) -> str:
    """Return the opening of a definition: `struct B final : A, virtual V`."""
    specifier = f" alignas({asked.alignas})" if asked.alignas is not None else ""
    bases = ", ".join(f"{'virtual ' * base.virtual}{base.type.tag}" for base in asked.bases)
    return f"{asked.keyword}{specifier} {asked.tag}{' final' * asked.final}{' : ' * bool(bases)}{bases}"


def class_rows(asked: Class, layout: ClassLayout) -> Iterator[LayoutRow]:
    """The whole layout of a class; of several subobjects at one offset those without bytes come first."""
    found = sorted(parts(asked, layout), key=lambda part: (part.offset, bool(part.size)))
    bit_fields = any(part.bit_field for part in opened(found))
    heading = "offset:bit    size" if bit_fields else "offset  size"
    yield LayoutRow(RowKind.CODE, 0, f"{class_head(asked)} {{", place=heading)
    end = 0
    for part in found:
        if not asked.union and part.size and part.offset > end:
            yield LayoutRow(RowKind.GAP, 1, place=f"XXX {room(part.offset - end)} hole")
        end = max(end, part.offset + part.size)
        yield from part_rows(part, 1, bit_fields=bit_fields)
    yield LayoutRow(RowKind.CODE, 0)
    yield from sum_rows(asked, layout)
    yield LayoutRow(RowKind.CODE, 0, "};")


def opened(found: Iterable[Subobject]) -> Iterator[Subobject]:
    """Subobjects, and those within them."""
    for part in found:
        yield part
        yield from opened(part.within)


def part_rows(part: Subobject, depth: int, *, bit_fields: bool) -> Iterator[LayoutRow]:
    """A subobject; an anonymous one is opened."""
    place = (
        bit_columns(part.offset // 8, part.offset % 8, part.size)
        if part.bit_field
        else place_of_bytes(part.offset // 8, part.size // 8, bit_fields=bit_fields)
    )
    if not part.within:
        yield LayoutRow(RowKind.MEMBER, depth, part.specifier, part.declarator, place, part.clause)
        return
    yield LayoutRow(RowKind.CODE, depth, part.specifier.removesuffix("...}"))
    for inner in part.within:
        yield from part_rows(inner, depth + 1, bit_fields=bit_fields)
    yield LayoutRow(RowKind.MEMBER, depth, "};", "", place, part.clause)


def parts(asked: Class, layout: ClassLayout) -> Iterator[Subobject]:
    """The virtual pointer, direct and virtual bases, and members."""
    if layout.virtual_pointer:
        yield Subobject(0, layout.virtual_pointer * 8, VIRTUAL_POINTER, "", layout.non_virtual_clause)
    for base in layout.bases:
        if len(base.path) == 1:
            kind = "virtual base" if base.virtual else "primary base" if base.primary else "base"
            size = 0 if base.empty else base.size
            yield Subobject(base.offset * 8, size * 8, f"({kind} {base.path[0]})", "", base.clause)
    yield from member_parts(asked, iter(layout.members))


def member_parts(asked: Class, places: Iterator[MemberPlace]) -> Iterator[Subobject]:
    """The data members of a class, each with its place; those of an anonymous union are within it."""
    for item in asked.members:
        inner = item.type if isinstance(item.type, Class) and not item.name else None
        if item.name or inner:
            part = member_part(item, next(places))
            within = tuple(member_parts(inner, places)) if inner else ()
            yield msgspec.structs.replace(part, within=within)


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
    if layout.pointers and (layout.pointers[0].path or len(layout.pointers) > 1):
        places = ", ".join(str(one.offset) for one in layout.pointers)
        yield LayoutRow(RowKind.SUM, 1, place=f"virtual pointers at {places}")
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

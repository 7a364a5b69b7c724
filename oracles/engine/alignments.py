"""The alignments of the members of a record, and of their types, as C can ask for them."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.engine.attributes import GNU
from abiprobe.oracles.engine.contested import contested_member
from abiprobe.oracles.engine.preferred import elements, preferred
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Record, Type, unnamed
from abiprobe.oracles.text.place import MemberAlignment

OF_MEMBER = GNU.cite("alignment-of-member", "oracles.engine.alignments.alignments_of")


def member_alignments(types: TypeTable, record: Record, before: str = "") -> Iterator[MemberAlignment]:
    """Those of every member that has a name and is no bit-field, and of the members of nested records, in order.

    Of an array of records the members of the first element are told. Raises what the type table raises.
    """
    for item in types.shape(record).fields:
        if item.is_bit_field:
            continue
        path = ".".join(part for part in (before, item.member.name) if part)
        inner, dimensions = elements(item.type)
        if item.member.name:
            yield from alignments_of(types, record, item, path, inner)
        nested = unnamed(inner)
        if isinstance(nested, Record) and all(dimensions):
            yield from member_alignments(types, nested, path + "[0]" * len(dimensions))


def alignments_of(
    types: TypeTable, record: Record, item: Field, path: str, inner: Type
) -> Iterator[MemberAlignment]:
    """The alignment of the type of a member, if that has a name, and of the member itself, if the text tells it."""
    if not isinstance(inner, Record) or inner.tag:
        yield MemberAlignment(path, types.alignof(inner), types.extent(inner).clause, inner)
    decided = types.reading is not None or not contested_member(item.member, types.extent(item.type))
    told = align_of_place(types, record, item) if types.policies.alignment_of_place else item.align
    if told and decided:
        yield MemberAlignment(path, told, OF_MEMBER)


def align_of_place(types: TypeTable, record: Record, item: Field) -> int:
    """The alignment of a member that its place in the record has, up to that of its type and its attributes.

    Clang takes alignments for powers of two, and so the lowest bit of an offset, or the record's alignment, for what they have
    in common, also where a unit of 24 bytes aligns an `ms_struct`.
    """
    asked = max(item.member.align or 0, item.member.alignas or 0)
    packed = item.member.packed or record.packed
    if packed and asked:
        # To clang an attribute then says all that there is to say, whatever #pragma pack makes of the place.
        return asked
    own = max(asked, 1 if packed else preferred(types, item.type))
    offset, align = item.bit_offset // 8, types.shape(record).align
    return min(own, offset & -offset or align, align)

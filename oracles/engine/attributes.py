"""The alignment that a member asks for: its type's, and what attributes and pragmas make of it."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.lang import Member, Pointer, Position, Record, strip
from abiprobe.oracles.text.clause import load_sheet

GNU = load_sheet(__package__)
PACKED = GNU.cite("packed", "oracles.engine.attributes.member_alignment")
ALIGNED = GNU.cite("aligned", "oracles.engine.attributes.member_alignment")
PRAGMA_PACK = GNU.cite("pragma-pack", "oracles.engine.attributes.member_alignment")
POINTER = GNU.cite("attribute-on-pointer", "oracles.engine.attributes.binds_to_pointer")


class Extent(msgspec.Struct, frozen=True):
    """Size and alignment of a type in bytes, and the clause that gave them.

    `user` says that an `aligned` attribute, on a typedef or a record, had a say in the alignment. `scalar` is the
    size in bytes of the arithmetic type that a type is, or is an array of, to gcc also of the parts of a complex number and
    what a record that it holds as one is aligned to in an `ms_struct`; 0 for other types. `loose` is the clause by which
    the alignment may be less.
    """

    size: int
    align: int
    clause: str
    user: bool = False
    scalar: int = 0
    loose: str = ""


class Wish(msgspec.Struct, frozen=True):
    """The alignment that a member asks for, in bytes: its type's, and the one written on the member itself.

    `explicit` is 0 without an attribute; `clause` names the attribute that had the last word on the type.
    """

    natural: int
    explicit: int
    packed: bool
    clause: str = ""


@GNU.implements("attribute-on-pointer")
def binds_to_pointer(member: Member) -> bool:
    """Return whether a member's attributes stand between the star and the name, and so belong to the pointer type."""
    return member.position is Position.POINTER and isinstance(strip(member.type), Pointer)


def wish(
    record: Record, member: Member, extent: Extent, reading: Reading, *, on_member: bool | None = None
) -> Wish:
    """Return the alignment that a member asks for, by a reading of where its attributes belong.

    `on_member` says that those behind a star are the member's, where that is not as the reading has it.
    """
    behind_star = reading is Reading.CLANG if on_member is None else on_member
    packed = record.packed or member.packed
    explicit = max(member.align or 0, member.alignas or 0)
    if not behind_star and binds_to_pointer(member):
        # An attribute of the pointer type, which may lower it; packed means nothing there.
        return Wish(member.align or extent.align, member.alignas or 0, record.packed, POINTER)
    return Wish(extent.align, explicit, packed)


@GNU.implements("packed", "aligned", "pragma-pack")
def member_alignment(asked: Wish, pack: int | None) -> tuple[int, str]:
    """The alignment in bytes of a member that is no bit-field, and the clause that had the last word."""
    align, clause = asked.natural, asked.clause
    if asked.packed:
        align, clause = 1, clause or PACKED
    if asked.explicit > align:
        align, clause = asked.explicit, ALIGNED
    if pack is not None and pack < align:
        align, clause = pack, PRAGMA_PACK
    return align, clause

"""Attributes of records and their members, as far as a question's dialect has them.

`room` is the size in bytes that what is decorated may take.
"""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.generators.extent import extent, member_extent, most_aligned
from abiprobe.generators.rare import ALIGNMENTS
from abiprobe.generators.scope import Scope
from abiprobe.oracles.language.features import has_long_double
from abiprobe.oracles.language.lang import Member, Pointer, Position, Record

_PACKS = (None, None, 1, 2, 4, 8, 16)
_POSITIONS = (Position.AFTER, Position.BEFORE, Position.SPECIFIER)
_POINTER_POSITIONS = (*_POSITIONS, Position.POINTER, Position.POINTER)
_ON_RECORDS = frozenset({"packed", "aligned", "ms_struct", "gcc_struct"})
_ON_MEMBERS = frozenset({"packed", "aligned", "alignas"})


def pragma_pack(scope: Scope) -> int | None:
    """A value (bytes) for `#pragma pack`, or none."""
    return scope.draw.pick(_PACKS) if scope.allows("pragma pack") else None


def on_record(scope: Scope, record: Record, room: int) -> Record:
    """`record` with the attributes that stand behind its members."""
    if _ON_RECORDS.isdisjoint(scope.dialect):
        return record
    return replace(
        record,
        packed=scope.allows("packed") and scope.draw.below(3) == 2,
        align=_aligned(scope, room),
        ms_struct=_ms_struct(scope, record),
    )


def _aligned(scope: Scope, room: int) -> int | None:
    if not scope.allows("aligned") or scope.draw.below(3) < 2:
        return None
    return scope.draw.pick([align for align in ALIGNMENTS if align <= most_aligned(room)])


def _ms_struct(scope: Scope, record: Record) -> bool | None:
    names = {"ms_struct": True, "gcc_struct": False}
    if has_long_double(record) and not scope.allows("ms_struct long double"):
        del names["ms_struct"]
    asked = [value for name, value in names.items() if scope.allows(name)]
    return scope.draw.pick([None, *asked]) if asked else None


def on_member(scope: Scope, member: Member, room: int) -> Member:
    """`member` with attributes; an anonymous one has only `_Alignas`, for its attributes are its record's."""
    if _ON_MEMBERS.isdisjoint(scope.dialect):
        return member
    if member.name or member.width is not None:
        packed = scope.allows("packed") and scope.draw.below(4) == 3
        member = replace(member, packed=packed, align=_aligned(scope, room))
        member = replace(member, position=_position(scope, member))
    return replace(member, alignas=_alignas(scope, member, room))


def _position(scope: Scope, member: Member) -> Position:
    if not scope.allows("attribute position") or (not member.packed and member.align is None):
        return Position.AFTER
    return scope.draw.pick(_POINTER_POSITIONS if isinstance(member.type, Pointer) else _POSITIONS)


def _alignas(scope: Scope, member: Member, room: int) -> int | None:
    """`_Alignas` never lowers an alignment, and bit-fields have none."""
    if not scope.allows("alignas") or member.width is not None or scope.draw.below(3) < 2:
        return None
    least = least_alignas(member)
    fitting = [align for align in ALIGNMENTS if least <= align <= most_aligned(room)]
    return scope.draw.pick(fitting) if fitting else None


def least_alignas(member: Member) -> int:
    """The least alignment in bytes that `_Alignas` may ask for, since it lowers none.

    An attribute that is not behind the declarator may be the type's, to whose alignment gcc then holds `_Alignas`.
    """
    return extent(member.type)[1] if member.position is Position.AFTER else member_extent(member)[1]

"""Structs and unions of several flavours, and the types they are made of.

`room` is the size in bytes that a type may take, never less than `extent.LEAST_ROOM`; `depth` is how many records deep
it may nest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from abiprobe.generators import attributes
from abiprobe.generators.arrays import rows
from abiprobe.generators.bitfields import barrier, bit_field
from abiprobe.generators.extent import LEAST_ROOM, after, extent, member_extent, most_aligned, usable
from abiprobe.generators.rare import disguised, scalar
from abiprobe.generators.scalars import enumeration, plain, real, wide, word
from abiprobe.generators.scope import FinishedRecord, Scope
from abiprobe.generators.small import edge, twins
from abiprobe.oracles.language.lang import Array, Atomic, Kind, Member, Record, Scalar, Type, Typedef

Maker: TypeAlias = Callable[[Scope, int, int], Type]
MemberMaker: TypeAlias = Callable[[Scope, int, int], Member]
Flavour: TypeAlias = Callable[[Scope, int, int], tuple[Member, ...]]

_FLOATS_ROOM = 64


def nested(scope: Scope, room: int, depth: int) -> Type:
    """A record within a record; a scalar where no deeper nesting is wanted."""
    if depth < 1:
        return scalar(scope, room)
    inner = record(scope, room=max(LEAST_ROOM, room // 2), depth=depth, flavours=PASSED)
    return disguised(scope, room, inner)


def again(scope: Scope, room: int, depth: int) -> Type:
    """A record that the question has used before; a scalar where none fits."""
    fitting = [
        seen.record
        for seen in scope.seen
        if seen.size <= room and seen.align <= most_aligned(room) and seen.depth <= depth
    ]
    return disguised(scope, room, scope.draw.pick(fitting)) if fitting else scalar(scope, room)


def any_type(scope: Scope, room: int, depth: int) -> Type:
    """Any complete object type."""
    return rows(scope, room, scope.draw.pick(_TYPES)(scope, room, depth))


def record(scope: Scope, *, room: int, depth: int, flavours: tuple[Flavour, ...] | None = None) -> Record:
    """A struct or union of one of `flavours`, under a fresh tag."""
    outer, scope.pack = scope.pack, attributes.pragma_pack(scope)
    made = _untagged(scope, room, depth, flavours or FLAVOURS)
    scope.pack = outer
    result = replace(made, tag=scope.record_tag())
    scope.seen.append(FinishedRecord(result, depth_of(result), *extent(result)))
    return result


def _untagged(scope: Scope, room: int, depth: int, flavours: tuple[Flavour, ...]) -> Record:
    flavour = scope.draw.pick(flavours)
    union = scope.draw.below(8) == 7
    members = scope.draw.part(lambda: flavour(scope, usable(room), depth - 1))
    if not scope.allows("empty record") and not any(map(_is_named, members)):
        members = (*members[: scope.bounds.members - 1], Member(Scalar(Kind.INT), scope.name()))
    if not union:
        members = _with_tail(scope, members)
    return attributes.on_record(scope, Record("", members, union=union, pack=scope.pack), room)


def _with_tail(scope: Scope, members: tuple[Member, ...]) -> tuple[Member, ...]:
    """`members` and perhaps a flexible array, where C allows one and there is a member to spare."""
    if not scope.allows("flexible array") or len(members) >= scope.bounds.members:
        return members
    if not any(member.name for member in members) or scope.draw.below(2) == 0:
        return members
    element = plain(scope)
    return (*members, attributes.on_member(scope, Member(Array(element, None), scope.name()), LEAST_ROOM))


def _is_named(member: Member) -> bool:
    return bool(member.name) or isinstance(member.type, Record)


def depth_of(c_type: Type) -> int:
    """Return how deep records nest in `c_type`: 0 if it has none."""
    match c_type:
        case Array(element=inner) | Atomic(base=inner) | Typedef(base=inner):
            return depth_of(inner)
        case Record(members=members):
            return 1 + max((depth_of(member.type) for member in members), default=0)
        case _:
            return 0


def anonymous(scope: Scope, room: int, depth: int) -> Member:
    """An anonymous struct or union, which has no tag; a scalar member where no deeper nesting is wanted."""
    if depth < 1:
        return Member(scalar(scope, room), scope.name())
    scope.draw.burden(2)
    return Member(_untagged(scope, max(LEAST_ROOM, room // 2), depth, PASSED))


def _named(maker: Maker) -> MemberMaker:
    def member(scope: Scope, room: int, depth: int) -> Member:
        return Member(rows(scope, room, maker(scope, room, depth)), scope.name())

    return member


def _leaf(maker: Callable[[Scope], Type]) -> Maker:
    def leaf(scope: Scope, _room: int, _depth: int) -> Type:
        return maker(scope)

    return leaf


def _scalar(scope: Scope, room: int, _depth: int) -> Type:
    return scalar(scope, room)


def _field(scope: Scope, room: int, _depth: int) -> Member:
    return bit_field(scope, room)


def _barrier(scope: Scope, _room: int, _depth: int) -> Member:
    return barrier(scope)


def _members(
    scope: Scope, room: int, depth: int, counts: tuple[int, ...], makers: tuple[MemberMaker, ...]
) -> tuple[Member, ...]:
    count = min(scope.draw.pick(counts), scope.bounds.members)
    members: list[Member] = []
    end = 0
    step = most_aligned(room)
    while len(members) < count and (left := (room - end) // step * step) >= LEAST_ROOM:
        member = scope.draw.part(partial(_member, scope, left, depth, makers))
        members.append(member)
        end = after(end, *member_extent(member))
    return tuple(members)


def _member(scope: Scope, room: int, depth: int, makers: tuple[MemberMaker, ...]) -> Member:
    return attributes.on_member(scope, scope.draw.pick(makers)(scope, room, depth), room)


def mixed(scope: Scope, room: int, depth: int) -> tuple[Member, ...]:
    """Members of every sort."""
    return _members(scope, room, depth, _COUNTS, _MIXED)


def fields(scope: Scope, room: int, depth: int) -> tuple[Member, ...]:
    """Runs of bit-fields, with a few ordinary members between them."""
    return _members(scope, room, depth, _COUNTS, _FIELDS)


def floats(scope: Scope, room: int, depth: int) -> tuple[Member, ...]:
    """One to four floating or integer members with decoys: arrays, nested and empty records, zero-width fields."""
    return _members(scope, min(room, _FLOATS_ROOM), depth, _COUNTS[:8], _FLOATS)


def nothing(scope: Scope, room: int, depth: int) -> tuple[Member, ...]:
    """No members at all (GNU C)."""
    if not scope.allows("empty record"):
        return mixed(scope, room, depth)
    scope.draw.burden(5)
    return ()


_COUNTS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12)
"""Shared by the flavours, so that the same choice means the same number when a shrinker changes the flavour."""

_SCALAR: MemberMaker = _named(_scalar)
_WORD: MemberMaker = _named(_leaf(word))
_REAL: MemberMaker = _named(_leaf(real))
_NESTED: MemberMaker = _named(nested)
_AGAIN: MemberMaker = _named(again)

_ENUM: MemberMaker = _named(_leaf(enumeration))
_WIDE: MemberMaker = _named(_leaf(wide))

_MIXED = (*(_SCALAR,) * 8, _field, _NESTED, _NESTED, anonymous, _AGAIN, _ENUM)
_FIELDS = (_SCALAR, _WORD, *(_field,) * 6)
_FLOATS = (*(_WORD,) * 3, *(_REAL,) * 7, _NESTED, _AGAIN, _barrier, _WIDE)

_TYPES: tuple[Maker, ...] = (*(_scalar,) * 5, _leaf(enumeration), nested, nested, again)

FLAVOURS: tuple[Flavour, ...] = (
    *(mixed,) * 20,
    *(fields,) * 14,
    *(floats,) * 5,
    *(edge,) * 2,
    twins,
    nothing,
)
"""For questions about layout."""

PASSED: tuple[Flavour, ...] = (
    *(mixed,) * 3,
    *(floats,) * 6,
    fields,
    fields,
    twins,
    twins,
    edge,
    edge,
    nothing,
)
"""For nesting, and for questions about calls: small aggregates, where the registers run out."""

"""The places of a record's members, with those of its unnamed structs, as a model has its scalar leaves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import structs

from abiprobe.oracles.language.lang import Array, Atomic, Record, Type, Typedef
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Layout, MemberPlace
from abiprobe.results.history.baseline.facts import UNPLACED
from abiprobe.results.history.baseline.interface import DeclaredMember


def member_places(
    model: AbiModel, record: Record, layout: Layout, members: Iterable[DeclaredMember]
) -> dict[str, str]:
    """The bits of each member by its path."""
    leaves = first_leaves(layout)
    opened = model.layout(with_an_element(record))
    # A member without elements has no leaf; with one element it starts where it does without.
    more = first_leaves(opened) if isinstance(opened, Layout) else {}
    return {one.path: place(model, one, leaves.get(one.path), more.get(one.path)) for one in members}


def place(
    model: AbiModel, member: DeclaredMember, leaf: MemberPlace | None, opened: MemberPlace | None
) -> str:
    """The bits from the first of a member to behind its last."""
    found = leaf or opened
    if found is None or member.value is None:
        return UNPLACED
    if found.bit_field and found.path == member.path:
        return f"bits {found.bit_offset} to {found.bit_offset + found.bit_width}"
    own = model.layout(member.value)
    if not isinstance(own, Layout):
        return UNPLACED
    start = found.bit_offset - before_first_leaf(model, member.value)
    return f"bits {start} to {start + (8 * own.size if leaf else 0)}"


def first_leaves(layout: Layout) -> dict[str, MemberPlace]:
    """The first leaf of each member by the member's path, at every depth."""
    found: dict[str, MemberPlace] = {}
    for leaf in layout.members:
        for end in (*(mark.start() for mark in re.finditer(r"[.\[]", leaf.path)), len(leaf.path)):
            found.setdefault(leaf.path[:end], leaf)
    return found


def before_first_leaf(model: AbiModel, c_type: Type) -> int:
    """Return the number of bits before a type's first leaf: a record may start with an unnamed bit-field."""
    match c_type:
        case Typedef(base=inner) | Atomic(base=inner) | Array(element=inner):
            return before_first_leaf(model, inner)
        case Record():
            layout = model.layout(c_type)
            return layout.members[0].bit_offset if isinstance(layout, Layout) and layout.members else 0
        case _:
            return 0


def with_an_element(record: Record) -> Record:
    """A record whose arrays without elements have one."""
    members = (
        structs.replace(member, type=Array(member.type.element, 1))
        if isinstance(member.type, Array) and not member.type.length
        else member
        for member in record.members
    )
    return structs.replace(record, members=tuple(members))

"""Primary bases: with which base a class shares its pointer to a virtual table (section 2.4, step I-2)."""

from __future__ import annotations

from collections.abc import Mapping

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import Node, direct, walk
from abiprobe.oracles.abis.itanium.laid import Table
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements


@implements("primary")
def primary_base(table: Table, whole: Class) -> Node | None:
    """The base with which a class shares its pointer to a virtual table, if there is one."""
    for node in direct(Node(whole)):
        if not node.virtual and is_dynamic(node.type):
            return node
    nearly = nearly_empty(table, whole)
    if len(nearly) < 2:
        return next(iter(nearly), None)
    indirect = indirect_primaries(table, whole)
    return next((node for node in nearly if node not in indirect), nearly[0] if nearly else None)


def nearly_empty(table: Table, whole: Class) -> list[Node]:
    """The virtual bases that are nearly empty."""
    return [node for node in walk(whole) if node.virtual and table.laid(node.type).nearly_empty]


def indirect_primaries(table: Table, whole: Class) -> frozenset[Node]:
    """The virtual bases that are the primary base of some other base."""
    found = (table.laid(node.type).primary for node in walk(whole) if node != Node(whole))
    return frozenset(node for node in found if node is not None and node.virtual)


@implements("virtual-base")
def owners(table: Table, whole: Class, primary: Node | None) -> Mapping[Node, Node]:
    """Map each virtual base that is a primary base to the first subobject in graph order of which it is a part."""
    found: dict[Node, Node] = {}
    for node in walk(whole):
        own = primary if node == Node(whole) else table.laid(node.type).primary
        if own is not None and own.virtual:
            found.setdefault(own, node)
    return found

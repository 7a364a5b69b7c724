"""The table of virtual tables, with which constructors of bases are called (section 2.6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import Node, direct, virtual_bases
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET, Symbols
from abiprobe.oracles.abis.itanium.tables.view import View, of_base
from abiprobe.oracles.abis.itanium.tables.virtual_tables import tables
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import VirtualPointer, VirtualTable

cite, implements = citing(SHEET)
ELEMENTS = cite("tables.pointers")


@implements("tables.pointers")
def pointers(view: View, symbols: Symbols) -> Iterator[VirtualPointer]:
    """The elements for a complete class."""
    yield from sub_table(view, symbols)
    for base in virtual_bases(view.whole):
        if virtual_bases(base):
            yield from sub_table(of_base(view, Node(base, base)), symbols)


def sub_table(view: View, symbols: Symbols) -> Iterator[VirtualPointer]:
    """Its own pointer, the tables of direct bases, and the pointers of other bases."""
    written = dict(tables(view, symbols))
    yield pointer(view, Node(view.whole), written)
    for index, base in enumerate(view.whole.bases):
        if not base.virtual and virtual_bases(base.type):
            yield from sub_table(of_base(view, Node(base.type, None, (index,))), symbols)
    yield from (pointer(view, node, written) for node in others(view))


def others(view: View) -> Iterator[Node]:
    """The bases with pointers of their own: those with virtual bases or on a virtual path that are no non-virtual primary base."""
    seen: set[Node] = set()

    def of(node: Node, *, along: bool) -> Iterator[Node]:
        for base in filter(has_table, direct(node)):
            reached = along or base.virtual
            if base.virtual and base in seen:
                continue
            seen.add(base)
            shares = not base.virtual and base == view.primary(node)
            if not shares and (virtual_bases(base.type) or reached):
                yield base
            yield from of(base, along=reached)

    yield from of(Node(view.whole), along=False)


def has_table(node: Node) -> bool:
    """Return whether a subobject has a virtual table."""
    return is_dynamic(node.type)


def pointer(view: View, node: Node, written: Mapping[Node, VirtualTable]) -> VirtualPointer:
    """The pointer to the table of a subobject among the tables of the class."""
    owner = view.owner(node)
    at = None
    if view.complete:
        at = 0
        for one, found in written.items():
            if one == owner:
                at += found.address_point * view.laid.types.data.pointer.size
                break
            at += len(found.entries) * view.laid.types.data.pointer.size
    return VirtualPointer(view.whole.tag, written[owner], at)

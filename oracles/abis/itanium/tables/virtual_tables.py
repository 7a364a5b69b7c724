"""Virtual tables: which there are, and what each holds (section 2.5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import Node, direct
from abiprobe.oracles.abis.itanium.tables.functions import ends_adjusting, function, slots
from abiprobe.oracles.abis.itanium.tables.offsets import offsets
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET, Symbols
from abiprobe.oracles.abis.itanium.tables.view import View, is_polymorphic
from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import Address, Entry, Offset, VirtualTable

cite, implements = citing(SHEET)
TOP = cite("tables.top")
INFORMATION = cite("tables.information")
ORDER = cite("tables.order")


@implements("tables.order")
def group(view: View) -> Iterator[Node]:
    """The subobjects of a complete class that have tables of their own, in the order of the group."""
    yield from with_secondary(view, Node(view.whole))
    # What shares a table has none of its own.
    shared = set(view.sharing)

    def of_virtual(asked: Class) -> Iterator[Node]:
        for base in direct(Node(asked)):
            if base.virtual and is_dynamic(base.type) and base not in shared:
                shared.add(base)
                yield from with_secondary(view, base)
            yield from of_virtual(base.type)

    yield from of_virtual(view.whole)


def with_secondary(view: View, node: Node) -> Iterator[Node]:
    """A subobject and those of its non-virtual bases that have tables of their own."""
    yield node
    yield from secondary(view, node)


def secondary(view: View, node: Node) -> Iterator[Node]:
    """The non-virtual bases of a subobject that have tables of their own."""
    for base in direct(node):
        if base.virtual or not is_dynamic(base.type):
            continue
        yield from (secondary if base == view.primary(node) else with_secondary)(view, base)


def tables(view: View, symbols: Symbols) -> Iterator[tuple[Node, VirtualTable]]:
    """The subobjects that have tables of their own, in the order of the group, each with its table."""
    adjusted = True
    for node in group(view):
        entries: list[Entry] = []
        for slot in slots(view, node):
            entries += function(view, node, slot, symbols, adjusted=adjusted)
            adjusted = adjusted and not ends_adjusting(view, node, slot)
        yield node, table(view, node, symbols, entries)


@implements("tables.top", "tables.information")
def table(view: View, node: Node, symbols: Symbols, functions: list[Entry]) -> VirtualTable:
    """The virtual table of a subobject with these functions."""
    before = tuple(offsets(view, node))[::-1]
    top = Offset("offset to top", -view.offsets[node], TOP)
    told = is_polymorphic(view.whole) or TableHabit.ALWAYS_INFORMATION in view.habits
    information = Address("type information", symbols.information(view.whole) * told, INFORMATION)
    entries: tuple[Entry, ...] = (*before, top, information, *functions)
    return VirtualTable(node.path(view.whole), entries, len(before) + 2)

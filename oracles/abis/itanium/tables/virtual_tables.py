"""Virtual tables: which there are, and what each holds (sections 2.5.2 and 2.5.3, thunks by 3.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import Node, direct, virtual_bases
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET, Symbols
from abiprobe.oracles.abis.itanium.tables.view import (
    DESTRUCTOR,
    View,
    declared,
    is_polymorphic,
)
from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import Address, Entry, Offset, Undecided, VirtualTable

cite, implements = citing(SHEET)
TOP = cite("tables.top")
INFORMATION = cite("tables.information")
FUNCTIONS = cite("tables.functions")
DESTRUCTORS = cite("tables.destructors")
VIRTUAL_BASES = cite("tables.virtual-bases")
CALLS = cite("tables.calls")
THUNKS = cite("tables.thunks")
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


@implements("tables.top", "tables.information")
def table(view: View, node: Node, symbols: Symbols) -> VirtualTable:
    """The virtual table of a subobject."""
    before = tuple(offsets(view, node))[::-1]
    top = Offset("offset to top", -view.offsets[node], TOP)
    told = is_polymorphic(view.whole) or TableHabit.ALWAYS_INFORMATION in view.habits
    information = Address("type information", symbols.information(view.whole) * told, INFORMATION)
    functions = tuple(entry for slot in slots(view, node) for entry in function(view, node, slot, symbols))
    entries: tuple[Entry, ...] = (*before, top, information, *functions)
    return VirtualTable(node.path(view.whole), entries, len(before) + 2)


@implements("tables.virtual-bases", "tables.calls")
def offsets(view: View, node: Node) -> Iterator[Entry]:
    """The entries before that to the top, the one next to it first: of a primary base, then to virtual bases, then for calls."""
    for kind, what, value in numbered(view, node):
        if value is None:
            yield Undecided(what)
        else:
            yield Offset(what, value, VIRTUAL_BASES if kind == "base" else CALLS)


def numbered(view: View, node: Node) -> Iterator[tuple[str, str, int | None]]:
    """The same entries by their kind; no value where the part of a primary base is elsewhere."""
    begin = view.offsets[node]
    seen: set[str] = set()
    bases: set[Class] = set()

    def of(one: Node) -> Iterator[tuple[str, str, int | None]]:
        primary = view.primary(one)
        if primary is not None:
            yield from of(primary)
        for base in virtual_bases(one.type):
            if base not in bases:
                bases.add(base)
                yield "base", f"offset to {base.tag}", view.offsets[Node(base, base)] - begin
        if one.virtual:
            here = view.offsets[one] == begin
            for declarer, name in called(view, one):
                if name not in seen:
                    seen.add(name)
                    value = view.offsets[view.last(declarer, name)] - begin
                    yield "call", f"adjustment for {name}", value if here else None

    yield from of(node)


def called(view: View, node: Node) -> Iterator[tuple[Node, str]]:
    """The functions of a virtual base, and of its non-virtual bases, that have an offset for calls, each with who declares it."""
    primary = view.primary(node)
    if primary is not None and not primary.virtual:
        yield from called(view, primary)
    yield from ((node, name) for name in declared(node.type))
    for base in direct(node):
        if not base.virtual and base != primary:
            yield from called(view, base)


@implements("tables.functions")
def slots(view: View, node: Node) -> tuple[tuple[Node, str], ...]:
    """The functions of a table: those of the primary base, then new ones, each with the last class in the table that declares it."""
    primary = view.primary(node)
    found = {name: declarer for declarer, name in slots(view, primary)} if primary is not None else {}
    found.update((name, node) for name in declared(node.type))
    return tuple((declarer, name) for name, declarer in found.items())


@implements("tables.destructors", "tables.thunks")
def function(view: View, node: Node, slot: tuple[Node, str], symbols: Symbols) -> Iterator[Entry]:
    """The entry of a function, or the two of a destructor."""
    declarer, name = slot
    forms = ("D1", "D0") if name == DESTRUCTOR else ("",)
    last = view.last(declarer, name)
    pure = any(one.name == name and one.pure for one in last.type.virtuals)
    for form in forms:
        what = f"{last.type.tag}::{name}{form}"
        # Of a pure function nothing is required, and a part of a primary base that is elsewhere leads nowhere.
        if pure or view.offsets[declarer] != view.offsets[node]:
            yield Undecided(what)
        elif form and not view.complete and TableHabit.NO_CONSTRUCTION_DESTRUCTORS in view.habits:
            yield Address(what, "", DESTRUCTORS)
        else:
            fixed, virtual = adjustment(view, declarer, last, name)
            clause = THUNKS if fixed or virtual else DESTRUCTORS if form else FUNCTIONS
            symbol = symbols.thunk(last.type, form or name, fixed, virtual)
            yield Address(what, symbol, clause)


def adjustment(view: View, declarer: Node, last: Node, name: str) -> tuple[int, int]:
    """The bytes added to `this`, and the offset in the table of the virtual base at which more are found; 0 where there are none."""
    if declarer.start == last.start:
        return view.offsets[last] - view.offsets[declarer], 0
    base = Node(declarer.start, declarer.start) if declarer.start is not None else declarer
    listed = [(kind, what) for kind, what, _ in numbered(view, base)]
    word = view.laid.types.data.pointer.size
    at = listed.index(("call", f"adjustment for {name}"))
    return view.offsets[base] - view.offsets[declarer], -(at + 3) * word

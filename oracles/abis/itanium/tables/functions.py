"""Functions of a virtual table, and the thunks by which they are called (sections 2.5.2, 3.2.2, 3.2.3 and 5.1.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from abiprobe.oracles.abis.itanium.graph import Node, walk
from abiprobe.oracles.abis.itanium.tables.offsets import entry
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET, Adjustment, Symbols
from abiprobe.oracles.abis.itanium.tables.view import DESTRUCTOR, View, declared, declares, of_class
from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import Class, VirtualFunction
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import Address, Entry, Undecided

cite, implements = citing(SHEET)
FUNCTIONS = cite("tables.functions")
DESTRUCTORS = cite("tables.destructors")
THUNKS = cite("tables.thunks")
RESULTS = cite("tables.results")

Slot: TypeAlias = tuple[Node, str]
"""A function of a table: the last class in the table that declares it, and its name."""


@implements("tables.functions", "tables.results")
def slots(view: View, node: Node) -> tuple[Slot, ...]:
    """The functions of a table: those of the primary base, then new ones, each with the last class in the table that declares it.

    New is also what returns something that must be adjusted for those who call it by an earlier entry.
    """
    primary = view.primary(node)
    found = list(slots(view, primary)) if primary is not None else []
    # [cxxabi:tables.functions]
    for name in declared(node.type):
        # [cxxabi:tables.results]
        shared = [
            index
            for index, (declarer, other) in enumerate(found)
            if other == name and not any(converted(view, node.type, declarer.type, name))
        ]
        for index in shared:
            found[index] = node, name
        if not shared:
            found.append((node, name))
    return tuple(found)


@implements("tables.destructors", "tables.thunks")
def function(
    view: View, node: Node, slot: Slot, symbols: Symbols, *, adjusted: bool = True
) -> Iterator[Entry]:
    """The entry of a function, or the two of a destructor; they lead to the function itself unless `adjusted`."""
    declarer, name = slot
    forms = ("D1", "D0") if name == DESTRUCTOR else ("",)
    last = view.last(declarer, name)
    # Of a pure or deleted function nothing is required, and a part of a primary base that is elsewhere leads nowhere.
    free = final(last, name).free or view.offsets[declarer] != view.offsets[node]
    for form in forms:
        what = f"{last.type.tag}::{name}{form}"
        if free:
            yield Undecided(what)
        elif form and not view.complete and TableHabit.NO_CONSTRUCTION_DESTRUCTORS in view.habits:
            yield Address(what, "", DESTRUCTORS)
        else:
            this, result = adjustments(view, node, slot) if adjusted else ((0, 0), (0, 0))
            clause = RESULTS if any(result) else THUNKS if any(this) else DESTRUCTORS if form else FUNCTIONS
            yield Address(what, symbols.thunk(last.type, form or name, this, result), clause)


def ends_adjusting(view: View, node: Node, slot: Slot) -> bool:
    """Return whether a compiler that loses thunks behind deleted functions adjusts nothing in a group of tables behind this entry."""
    declarer, name = slot
    return (
        TableHabit.LOST_THUNKS in view.habits
        and final(view.last(declarer, name), name).deleted
        and view.offsets[declarer] == view.offsets[node]
        and any(map(any, adjustments(view, node, slot)))
    )


def final(last: Node, name: str) -> VirtualFunction:
    """The function of a name that the last class has which declares it."""
    return next((one for one in last.type.virtuals if one.name == name), VirtualFunction(name))


def adjustments(view: View, node: Node, slot: Slot) -> tuple[Adjustment, Adjustment]:
    """The adjustments of `this` and of the result between those who call a function by an entry and its final overrider."""
    declarer, name = slot
    last = view.last(declarer, name)
    result = converted(view, last.type, declarer.type, name)
    if any(result) and TableHabit.INHERITED_ENTRIES in view.habits:
        declarer = inheriting(view, node, slot)
    return adjustment(view, declarer, last, name), result


def inheriting(view: View, node: Node, slot: Slot) -> Node:
    """The nearest base in the table of a subobject whose own table has this entry without an adjustment of the result."""
    declarer, name = slot
    bases = list(sharing(view, node))
    at = next(index for index, one in enumerate(bases) if declares(one.type, name))
    entry_number = slots(view, node).index(slot)
    for base in bases[at + (bases[at].type == view.last(declarer, name).type) :]:
        own = of_class(base.type, view.laid)
        before, _ = slots(own, Node(base.type))[entry_number]
        if not any(converted(own, own.last(before, name).type, before.type, name)):
            return base
    return declarer


def sharing(view: View, node: Node) -> Iterator[Node]:
    """A subobject, its primary base, the primary base of that and so on."""
    yield node
    if (primary := view.primary(node)) is not None:
        yield from sharing(view, primary)


def adjustment(view: View, declarer: Node, last: Node, name: str) -> Adjustment:
    """The adjustment of `this`; what is not constant is in the table of the virtual base."""
    if declarer.start == last.start:
        return view.offsets[last] - view.offsets[declarer], 0
    base = Node(declarer.start, declarer.start) if declarer.start is not None else declarer
    return view.offsets[base] - view.offsets[declarer], entry(view, base, ("call", f"adjustment for {name}"))


@implements("tables.results")
def converted(view: View, own: Class, other: Class, name: str) -> Adjustment:
    """The adjustment of what the function of a class returns to what that of another one does, which it overrides."""
    given, wanted = returned(own, name), returned(other, name)
    if given == wanted:
        return 0, 0
    result = next(one.type for one in walk(own) if one.type.tag == given)
    node = next(one for one in walk(result) if one.type.tag == wanted)
    inner = of_class(result, view.laid)
    if node.start is None:
        return inner.offsets[node], 0
    base = Node(node.start, node.start)
    at = entry(inner, Node(result), ("base", f"offset to {base.type.tag}"))
    return inner.offsets[node] - inner.offsets[base], at


def returned(asked: Class, name: str) -> str:
    """The tag of the class to which a function of a class returns a pointer; empty for none."""
    return next((one.result for one in asked.virtuals if one.name == name), "")

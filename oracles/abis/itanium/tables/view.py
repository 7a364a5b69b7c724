"""A class as its tables see it: where its subobjects are, which of them share a table, and which function is the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from abiprobe.oracles.abis.itanium.graph import Node, direct, walk
from abiprobe.oracles.abis.itanium.laid import Table
from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import Class, Declared

DESTRUCTOR = "~"


@dataclass(frozen=True)
class View:
    """A class, complete or as a base of another one: `offsets` (bytes) are those of its subobjects there, from its beginning."""

    whole: Class
    laid: Table
    offsets: Mapping[Node, int]
    complete: bool

    def primary(self, node: Node) -> Node | None:
        """The primary base of a subobject, which may be elsewhere if it is virtual."""
        found = self.laid.laid(node.type).primary
        if found is None or found.virtual:
            return found
        return Node(found.type, node.start, (*node.steps, *found.steps))

    @property
    def habits(self) -> frozenset[TableHabit]:
        """The points in which a compiler departs from the text."""
        return self.laid.types.policies.tables

    @cached_property
    def sharing(self) -> Mapping[Node, Node]:
        """Map each subobject that shares the table of one that is derived from it to that one."""
        found: dict[Node, Node] = {}
        for node in walk(self.whole):
            primary = self.primary(node)
            if primary is not None and self.offsets[primary] == self.offsets[node]:
                found.setdefault(primary, node)
        return found

    def owner(self, node: Node) -> Node:
        """The subobject whose table a subobject uses."""
        while node in self.sharing:
            node = self.sharing[node]
        return node

    def last(self, node: Node, name: str) -> Node:
        """The subobject whose class has the final overrider of a function that the class of `node` declares."""
        found = [one for one in walk(self.whole) if declares(one.type, name) and node in within(one)]
        return next(one for one in found if all(other in within(one) for other in found))


def within(node: Node) -> frozenset[Node]:
    """A subobject and its bases."""
    return frozenset((node, *(inner for base in direct(node) for inner in within(base))))


def has_virtual_destructor(asked: Class) -> bool:
    """Return whether the destructor of a class is virtual, declared so or by that of a base."""
    return asked.specials.destructor.virtual or any(has_virtual_destructor(base.type) for base in asked.bases)


def declared(asked: Class) -> Iterator[str]:
    """The virtual functions that a class declares, in order; an implicit destructor comes last."""
    names = [one.name for one in asked.virtuals]
    if has_virtual_destructor(asked):
        destructor = asked.specials.destructor
        implicit = destructor.declared is Declared.IMPLICIT
        names.insert(len(names) if implicit else destructor.behind, DESTRUCTOR)
    yield from names


def is_polymorphic(asked: Class) -> bool:
    """Return whether a class declares or inherits a virtual function."""
    return any(True for _ in declared(asked)) or any(is_polymorphic(base.type) for base in asked.bases)


def declares(asked: Class, name: str) -> bool:
    """Return whether a class declares a virtual function."""
    return name in declared(asked)


def of_class(whole: Class, laid: Table) -> View:
    """A complete class."""
    offsets = {one.node: one.offset for one in laid.laid(whole).bases}
    return View(whole, laid, {**offsets, Node(whole): 0}, complete=True)


def of_base(outer: View, node: Node) -> View:
    """A subobject of a complete class, as it is while its constructor runs."""

    def placed(inner: Node) -> Node:
        return inner if inner.start else Node(inner.type, node.start, (*node.steps, *inner.steps))

    begin = outer.offsets[node]
    offsets = {inner: outer.offsets[placed(inner)] - begin for inner in walk(node.type)}
    return View(node.type, outer.laid, offsets, complete=False)

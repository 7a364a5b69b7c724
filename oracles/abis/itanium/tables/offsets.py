"""Offsets before the address point of a virtual table: to virtual bases, and for calls (sections 2.5.2 and 2.5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.itanium.graph import Node, direct, virtual_bases
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET
from abiprobe.oracles.abis.itanium.tables.view import View, declared
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import Entry, Offset, Undecided

cite, implements = citing(SHEET)
VIRTUAL_BASES = cite("tables.virtual-bases")
CALLS = cite("tables.calls")


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


def entry(view: View, node: Node, of: tuple[str, str]) -> int:
    """The place of an offset in the table of a subobject, in bytes from its address point."""
    listed = [(kind, what) for kind, what, _ in numbered(view, node)]
    return -(listed.index(of) + 3) * view.laid.types.data.pointer.size

"""The inheritance graph of a class: its subobjects, their order, and which of them a virtual primary base is part of."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.clause import load_sheet

implements = load_sheet(__package__).implements
REMEMBERED = 1 << 12
"""Classes and subobjects of which something is remembered, more than a batch has; a run goes on with others."""


class Node(msgspec.Struct, frozen=True, cache_hash=True):
    """A base subobject, or the complete object: its class, and the way to it.

    `start` is the virtual base at which the way begins, or `None` where that is the complete object; `steps` are the indices
    of direct bases that are not virtual.
    """

    type: Class
    start: Class | None = None
    steps: tuple[int, ...] = ()

    @property
    def virtual(self) -> bool:
        """Return whether this is a virtual base itself."""
        return self.start is not None and not self.steps

    def way(self, whole: Class) -> tuple[Class, ...]:
        """The classes on the way, the complete object left out."""
        one = self.start or whole
        found = [one] if self.start else []
        for step in self.steps:
            one = one.bases[step].type
            found.append(one)
        return tuple(found)

    def path(self, whole: Class) -> tuple[str, ...]:
        """The tags of the classes on the way."""
        return tuple(one.tag for one in self.way(whole))


@lru_cache(REMEMBERED)
def direct(node: Node) -> tuple[Node, ...]:
    """The direct bases of a subobject, as they are declared."""
    return tuple(
        Node(base.type, base.type) if base.virtual else Node(base.type, node.start, (*node.steps, index))
        for index, base in enumerate(node.type.bases)
    )


@lru_cache(REMEMBERED)
@implements("graph-order")
def walk(whole: Class) -> tuple[Node, ...]:
    """Every subobject in inheritance graph order, the complete object first."""
    found: dict[Node, None] = {}

    def visit(node: Node) -> None:
        if node in found:
            return
        found[node] = None
        for base in direct(node):
            visit(base)

    visit(Node(whole))
    return tuple(found)


@lru_cache(REMEMBERED)
@implements("morally-virtual")
def virtual_bases(whole: Class) -> tuple[Class, ...]:
    """The virtual bases of a class, direct and indirect, in inheritance graph order."""
    return tuple(node.type for node in walk(whole) if node.virtual)

"""Type information of classes (section 2.9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from abiprobe.oracles.abis.itanium.graph import Node, direct, walk
from abiprobe.oracles.abis.itanium.tables.offsets import entry
from abiprobe.oracles.abis.itanium.tables.symbols import SHEET, Symbols
from abiprobe.oracles.abis.itanium.tables.view import View
from abiprobe.oracles.engine.policies import TableHabit
from abiprobe.oracles.language.classes import Access, Base
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.tables import Address, Entry, Offset

cite, implements = citing(SHEET)
KIND = cite("information.kind")
BASES = cite("information.bases")
FLAGS = cite("information.flags")
NAME = cite("information.name")
INT = 4
"""The bytes of the flags and of the number of bases."""
PUBLIC, VIRTUAL, SHIFT = 2, 1, 8
REPEATED, DIAMOND = 1, 2


@implements("information.kind", "information.name", "information.bases")
def information(view: View, symbols: Symbols) -> Iterator[tuple[Entry, int]]:
    """The words of the type information of a class, with their sizes in bytes."""
    word, asked = view.laid.types.data.pointer.size, view.whole
    kind = kind_of(view)
    yield Address("kind", f"_ZTVN10__cxxabiv1{len(kind)}{kind}E", KIND, 2 * word), word
    yield Address("name", symbols.special("TS", asked), NAME), word
    if kind == "__si_class_type_info":
        yield Address("base", symbols.information(asked.bases[0].type), BASES), word
    elif kind == "__vmi_class_type_info":
        yield Offset("flags", flags(view), FLAGS), INT
        yield Offset("number of bases", len(asked.bases), BASES), INT
        for node, base in zip(direct(Node(asked)), asked.bases, strict=True):
            yield Address(f"base {base.type.tag}", symbols.information(base.type), BASES), word
            yield Offset(f"offset and flags of {base.type.tag}", place(view, node, base), BASES), word


def kind_of(view: View) -> str:
    """The class of type information that a class has."""
    bases = view.whole.bases
    if not bases:
        return "__class_type_info"
    only = bases[0]
    single = len(bases) == 1 and only.access is Access.PUBLIC and not only.virtual
    first = single and view.offsets[direct(Node(view.whole))[0]] == 0
    return "__si_class_type_info" if first else "__vmi_class_type_info"


def place(view: View, node: Node, base: Base) -> int:
    """The offset of a base, of a virtual one that of its entry in the virtual table, above its flags."""
    flagged = VIRTUAL * base.virtual + PUBLIC * (base.access is Access.PUBLIC)
    if not base.virtual:
        return view.offsets[node] << SHIFT | flagged
    return entry(view, Node(view.whole), ("base", f"offset to {base.type.tag}")) << SHIFT | flagged


@implements("information.flags")
def flags(view: View) -> int:
    """The flags of a class: whether a base is there more than once, and whether a virtual one is reached in more than one way."""
    nodes = [node for node in walk(view.whole) if node != Node(view.whole)]
    if TableHabit.REVISITED_BASES in view.habits:
        nodes = [
            *{node for node in nodes if node.virtual},
            *(node for node in visits(Node(view.whole)) if not node.virtual),
        ]
    counted = Counter(node.type for node in nodes)
    reached = Counter(base for node in walk(view.whole) for base in direct(node) if base.virtual)
    repeated = any(count > 1 for count in counted.values())
    diamond = any(count > 1 for count in reached.values())
    return REPEATED * repeated + DIAMOND * diamond


def visits(node: Node) -> Iterator[Node]:
    """The bases of a subobject by every way to them."""
    for base in direct(node):
        yield base
        yield from visits(base)

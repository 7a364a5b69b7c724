"""The questions about a class, which no model affects."""

from __future__ import annotations

from functools import lru_cache

from abiprobe.harness.machines.render.class_units import AskedBase, AskedClass, by_offset
from abiprobe.oracles.abis.itanium.graph import REMEMBERED, Node, walk
from abiprobe.oracles.language.classes import Class, Declared, Reference, element, parts


@lru_cache(REMEMBERED)
def asked_of(asked: Class) -> AskedClass:
    """Return the questions about a class: members, bases that a pointer can be converted to, bit-fields."""
    return AskedClass(
        asked,
        by_offset(asked),
        tuple(bases(asked)),
        tuple(one for one in asked.members if one.name and one.width is not None),
        frozenset(parts(asked)) if is_makable(asked) else frozenset(),
    )


def bases(asked: Class) -> list[AskedBase]:
    """The bases that can be converted to; virtual ones only of a class of which an object can be made."""
    if asked.union:
        return []
    found = []
    makable = is_makable(asked)
    for node in walk(asked):
        path = node.way(asked)
        if node == Node(asked) or (node.start is not None and not makable) or not is_unique(asked, path):
            continue
        found.append(
            AskedBase(base_name(node.path(asked), virtual=node.virtual), path, node.start is not None)
        )
    return found


def base_name(path: tuple[str, ...], *, virtual: bool) -> str:
    """Return the name of a base subobject for reports, by the tags of the classes on the way to it."""
    return f"{'virtual ' * virtual}base {'::'.join(path)}"


def is_unique(asked: Class, path: tuple[Class, ...]) -> bool:
    """Return whether each conversion on the way is to a class that is there once."""
    outer = asked
    for one in path:
        if sum(node.type == one for node in walk(outer)) != 1:
            return False
        outer = one
    return True


@lru_cache(REMEMBERED)
def is_makable(asked: Class) -> bool:
    """Return whether an object of a class can be made without arguments, and destroyed."""
    inner = [base.type for base in asked.bases]
    inner += [one for one in (element(item.type) for item in asked.members) if isinstance(one, Class)]
    bound = asked.specials.default is Declared.PROVIDED
    special = asked.specials
    implicit = special.default is Declared.IMPLICIT and any(
        one is not Declared.IMPLICIT for one in (special.copy, special.move)
    )
    return (
        special.default is not Declared.DELETED
        and not implicit
        and not (special.other and special.default is Declared.IMPLICIT)
        and special.destructor.declared is not Declared.DELETED
        and not any(one.pure for node in walk(asked) for one in node.type.virtuals)
        and all(bound or not isinstance(element(item.type), Reference) for item in asked.members)
        and all(map(is_makable, inner))
    )

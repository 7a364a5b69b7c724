"""Virtual functions that return pointers to classes or are deleted, and destructors behind them, as far as C++ allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from abiprobe.generators.classes import without_final_overrider
from abiprobe.generators.draw import Draw
from abiprobe.oracles.abis.itanium.graph import Node, walk
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    Declared,
    VirtualFunction,
    parts,
    with_parts,
)

PLAIN, RETURNS, DELETED = "plain", "returns", "deleted"
KINDS = (PLAIN,) * 3 + (RETURNS,) * 4 + (DELETED,)


def varied(asked: Class, draw: Draw) -> Class:
    """A class whose virtual functions may return pointers or be deleted, all of one name alike; its bases are public then.

    It is as it was where a base would have two final overriders of one function.
    """
    names = dict.fromkeys(one.name for part in parts(asked) for one in part.virtuals)
    kinds = {name: draw.pick(KINDS) for name in names}
    found: dict[Class, Class] = {}
    for one in parts(asked):
        made = with_parts(one, found.__getitem__)
        before = replace(made, bases=tuple(replace(base, access=Access.PUBLIC) for base in made.bases))
        virtual = (*one.virtuals, *_overriding(before, kinds, draw))
        virtuals = tuple(_function(before, function, kinds, draw) for function in virtual)
        found[one] = _destructor_behind(replace(before, virtuals=virtuals), draw)
    return asked if any(map(without_final_overrider, found.values())) else found[asked]


def _overriding(one: Class, kinds: Mapping[str, str], draw: Draw) -> Iterator[VirtualFunction]:
    """More functions that override those of bases and return something else."""
    own = {function.name for function in one.virtuals}
    if one.union or one.final:
        return
    for name, kind in kinds.items():
        if kind == RETURNS and name not in own and any(overridden(one, name)) and draw.below(2):
            yield VirtualFunction(name)


def _function(one: Class, function: VirtualFunction, kinds: Mapping[str, str], draw: Draw) -> VirtualFunction:
    if kinds[function.name] == DELETED:
        return replace(function, deleted=True)
    if kinds[function.name] == PLAIN:
        return function
    fitting = [tag for tag in tags(one) if fits(one, replace(function, result=tag))]
    return replace(function, result=draw.pick(fitting)) if fitting else function


def _destructor_behind(one: Class, draw: Draw) -> Class:
    destructor = one.specials.destructor
    if destructor.declared is Declared.IMPLICIT or not one.virtuals:
        return one
    behind = draw.below(len(one.virtuals) + 1)
    return replace(one, specials=replace(one.specials, destructor=replace(destructor, behind=behind)))


def tags(one: Class) -> list[str]:
    """The tags of a class and its bases, its own first."""
    return list(dict.fromkeys(node.type.tag for node in walk(one)))


def is_lawful(asked: Class) -> bool:
    """Return whether each virtual function of a class and its parts may override what it does ([class.virtual]p7, p8)."""
    return all(
        part.specials.destructor.behind <= len(part.virtuals)
        and all(fits(part, function) for function in part.virtuals)
        for part in parts(asked)
    )


def fits(one: Class, function: VirtualFunction) -> bool:
    """Return whether a function of a class may override those of its bases: it is deleted as they are, and what it returns is derived."""
    if function.result and function.result not in tags(one):
        return False
    return all(
        function.deleted == other.deleted and _is_covariant(one, function.result, other.result)
        for other in overridden(one, function.name)
    )


def overridden(one: Class, name: str) -> Iterator[VirtualFunction]:
    """The functions of a name in the bases of a class."""
    for node in walk(one):
        if node != Node(one):
            yield from (function for function in node.type.virtuals if function.name == name)


def _is_covariant(one: Class, result: str, other: str) -> bool:
    """Return whether a pointer to the one class may be returned where a pointer to the other is: it is a public base that is there once."""
    if result == other or not (result and other):
        return result == other
    own = next(node.type for node in walk(one) if node.type.tag == result)
    found = [node for node in walk(own) if node.type.tag == other]
    return len(found) == 1 and all(base.access is Access.PUBLIC for base in _all_bases(own))


def _all_bases(one: Class) -> Iterator[Base]:
    for node in walk(one):
        yield from node.type.bases

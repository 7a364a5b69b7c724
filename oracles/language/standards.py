"""Properties of a class on which editions of C++ disagree, so that a layout that follows from one may depend on `-std`."""

from __future__ import annotations

from abiprobe.oracles.language.classes import Access, Class, Declared, parts

EDITIONS = (14, 17, 20)
"""The editions between which the rules below changed."""
DECLARED = frozenset((Declared.DEFAULTED, Declared.DELETED, Declared.PROVIDED))


def is_aggregate(asked: Class, edition: int) -> bool:
    """Return whether a class is an aggregate ([dcl.init.aggr]p1) in an edition of C++."""
    # C++20 has no user-declared constructors (P1008); before, a constructor that is not user-provided did no harm.
    harmful = DECLARED if edition >= 20 else {Declared.PROVIDED}
    # C++17 allows public bases (P0017), never virtual ones.
    bases = all(
        edition >= 17 and not base.virtual and base.access is Access.PUBLIC and not is_polymorphic(base.type)
        for base in asked.bases
    )
    members = all(one.access is Access.PUBLIC for one in asked.members if one.name)
    return bases and members and not asked.own_virtual and harmful.isdisjoint(asked.specials.constructors)


def is_polymorphic(asked: Class) -> bool:
    """Return whether a class declares or inherits a virtual function."""
    return asked.own_virtual or any(is_polymorphic(base.type) for base in asked.bases)


def depends_on_edition(asked: Class) -> bool:
    """Return whether a class, or one that it is made of, is an aggregate in some editions only."""
    return any(len({is_aggregate(one, edition) for edition in EDITIONS}) > 1 for one in parts(asked))

"""Aggregates of the editions of C++."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    DataMember,
    Declared,
    Destruction,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.standards import EDITIONS, depends_on_edition, is_aggregate

INT = Scalar(Kind.INT)
PLAIN = Class("A", members=(DataMember(INT, "a"),))
VIRTUAL = Class("V", virtuals=(VirtualFunction("v"),))
PRIVATE = DataMember(INT, "a", access=Access.PRIVATE)
UNNAMED = DataMember(INT, "", 3, access=Access.PRIVATE)
DEFAULTED = Class("D", specials=Specials(default=Declared.DEFAULTED))


@pytest.mark.parametrize(
    ("asked", "editions"),
    [
        (PLAIN, (14, 17, 20)),
        (DEFAULTED, (14, 17)),
        (Class("C", specials=Specials(copy=Declared.DELETED)), (14, 17)),
        (Class("C", specials=Specials(move=Declared.PROVIDED)), ()),
        (Class("C", specials=Specials(other=True)), ()),
        (Class("C", specials=Specials(assign=Declared.PROVIDED)), (14, 17, 20)),
        (Class("C", specials=Specials(destructor=Destruction(Declared.PROVIDED))), (14, 17, 20)),
        (Class("C", specials=Specials(destructor=Destruction(Declared.DEFAULTED, virtual=True))), ()),
        (Class("C", (Base(PLAIN),)), (17, 20)),
        (Class("C", (Base(PLAIN, access=Access.PRIVATE),)), ()),
        (Class("C", (Base(PLAIN, virtual=True),)), ()),
        (Class("C", (Base(VIRTUAL),)), ()),
        (Class("C", (Base(DEFAULTED),), specials=Specials(default=Declared.DEFAULTED)), (17,)),
        (Class("C", members=(PRIVATE,)), ()),
        (Class("C", members=(UNNAMED,)), (14, 17, 20)),
        (VIRTUAL, ()),
    ],
)
def test_editions_have_aggregates_of_their_own(asked: Class, editions: tuple[int, ...]) -> None:
    assert tuple(one for one in EDITIONS if is_aggregate(asked, one)) == editions


def test_a_class_depends_on_the_edition_by_what_it_is_made_of() -> None:
    assert not depends_on_edition(Class("C", members=(DataMember(PLAIN, "a"),)))
    assert depends_on_edition(Class("C", members=(DataMember(DEFAULTED, "a"), PRIVATE)))

"""Classes that are non-trivial for the purposes of calls."""

from __future__ import annotations

from typing import Any

import pytest

from abiprobe.oracles.abis.itanium.calls import destructions
from abiprobe.oracles.abis.itanium.triviality import is_non_trivial, is_refused_unnamed
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    CxxArray,
    DataMember,
    Declared,
    Destruction,
    Reference,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar

INT = Scalar(Kind.INT)
PROVIDED, DEFAULTED, DELETED = Declared.PROVIDED, Declared.DEFAULTED, Declared.DELETED
GONE = Class("G", specials=Specials(destructor=Destruction(PROVIDED)))
PINNED = Class("P", members=(DataMember(INT, "a"),), specials=Specials(copy=DELETED, move=DELETED))
COPIED = Class("C", members=(DataMember(INT, "a"),), specials=Specials(copy=PROVIDED))
PINNED_AND_COPIED = Class("H", members=(DataMember(PINNED, "m"), DataMember(COPIED, "n")))


def with_specials(**declared: Any) -> Class:
    return Class("S", members=(DataMember(INT, "a"),), specials=Specials(**declared))


def holding(inner: Class, **more: Any) -> Class:
    return Class("H", members=(DataMember(inner, "m"),), specials=Specials(**more))


HIDDEN, INHERITED = (
    Class("D", specials=Specials(destructor=Destruction(DEFAULTED, access=access)))
    for access in (Access.PRIVATE, Access.PROTECTED)
)

TRIVIAL = {
    "nothing declared": with_specials(),
    "another constructor": Class("S", specials=Specials(default=PROVIDED, other=True)),
    "an assignment": with_specials(assign=PROVIDED),
    "a defaulted copy": with_specials(copy=DEFAULTED),
    "copied only": with_specials(copy=DEFAULTED, move=DELETED),
    "moved only": with_specials(copy=DELETED, move=DEFAULTED),
    "a defaulted destructor": Class("S", specials=Specials(destructor=Destruction(DEFAULTED))),
    "a trivial base": Class("S", (Base(with_specials()),)),
    "a reference": Class("S", members=(DataMember(Reference(INT), "r"),)),
    "a base with a protected destructor": Class("S", (Base(INHERITED),)),
}
BOUND = Class(
    "R", members=(DataMember(Reference(INT, rvalue=True), "r"),), specials=Specials(assign=PROVIDED)
)
NON_TRIVIAL = {
    "a copy": with_specials(copy=PROVIDED),
    "a move": with_specials(move=PROVIDED),
    "a destructor": GONE,
    "both deleted": PINNED,
    "a deleted move, which deletes the copy": with_specials(move=DELETED),
    "a deleted copy, beside which there is no move": with_specials(copy=DELETED),
    "a member of which both are deleted": holding(PINNED),
    "a member moved only, and an assignment, beside which there is no move": holding(
        with_specials(copy=DELETED, move=DEFAULTED), assign=PROVIDED
    ),
    "a member's destructor": holding(GONE),
    "a member with a private destructor, which deletes the copy": holding(HIDDEN),
    "a member with a protected destructor, which deletes the copy": holding(INHERITED),
    "a base with a private destructor, which deletes the copy": Class("S", (Base(HIDDEN),)),
    "a union with a member's destructor, which deletes the copy": Class(
        "U", members=(DataMember(GONE, "m"), DataMember(INT, "i")), union=True
    ),
    "an array of such": Class("H", members=(DataMember(CxxArray(GONE, 2), "m"),)),
    "a base's copy": Class("S", (Base(COPIED),)),
    "a member's copy, defaulted": holding(COPIED, copy=DEFAULTED),
    "a virtual function": Class("S", virtuals=(VirtualFunction("v"),)),
    "a virtual base": Class("S", (Base(with_specials(), virtual=True),)),
    "a virtual destructor": Class("S", specials=Specials(destructor=Destruction(DEFAULTED, virtual=True))),
    "an rvalue reference that no copy binds, and no move": BOUND,
    "a member with such a reference": holding(BOUND),
    "a member of which both are deleted, and one with a copy": PINNED_AND_COPIED,
}


@pytest.mark.parametrize("what", TRIVIAL)
def test_a_class_is_trivial_for_calls(what: str) -> None:
    assert not is_non_trivial(TRIVIAL[what])


@pytest.mark.parametrize("what", NON_TRIVIAL)
def test_a_class_is_non_trivial_for_calls(what: str) -> None:
    assert is_non_trivial(NON_TRIVIAL[what])


def test_a_class_that_is_moved_has_a_constructor_though_its_copy_is_deleted_by_a_member() -> None:
    assert not is_non_trivial(holding(with_specials(copy=DELETED, move=DEFAULTED)))


def test_as_declared_no_implicit_copy_counts_as_deleted() -> None:
    for trivial in (holding(PINNED), BOUND, holding(BOUND)):
        assert not is_non_trivial(trivial, declared=True)
    for non_trivial in (PINNED, PINNED_AND_COPIED):
        assert is_non_trivial(non_trivial, declared=True)


def test_destructors_of_bases_members_and_elements_are_counted() -> None:
    whole = Class("W", (Base(GONE),), (DataMember(CxxArray(GONE, 3), "m"),), specials=GONE.specials)
    assert destructions(whole) == 5


MOVER = Class("M", specials=Specials(copy=DEFAULTED, move=PROVIDED))
REFUSED = {
    "a move": MOVER,
    "a deleted move that would move a member": holding(MOVER, copy=DEFAULTED, move=DELETED),
    "a member with such a move": holding(holding(MOVER, copy=DEFAULTED, move=DELETED)),
    "a destructor": GONE,
}
PASSED = {
    "nothing declared": with_specials(),
    "a deleted move of nothing": with_specials(copy=DEFAULTED, move=DELETED),
    "no move beside an assignment": holding(MOVER, copy=DEFAULTED, assign=PROVIDED),
}


@pytest.mark.parametrize("what", [*REFUSED, *PASSED])
def test_clang_refuses_unnamed_what_would_move_by_code(what: str) -> None:
    assert is_refused_unnamed(REFUSED[what] if what in REFUSED else PASSED[what]) is (what in REFUSED)

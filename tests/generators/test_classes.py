"""Classes that are drawn, and simpler ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import gcd

import pytest

from abiprobe.generators.classes import a_class, stream, without_final_overrider
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.classes import of_class
from abiprobe.generators.reduction.shrinking import shrink
from abiprobe.generators.small_scope.classes import COUNT, STEP, hierarchy, permuted
from abiprobe.oracles.abis.itanium.definitions import is_pod
from abiprobe.oracles.abis.itanium.policy import TEXT
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    DataMember,
    Declared,
    Destruction,
    Reference,
    Specials,
    VirtualFunction,
    element,
    parts,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import decode, encode, probe
from abiprobe.results.causes.class_traits import class_traits

DRAWN = tuple(islice(stream(seed=5), 60))


def test_a_seed_draws_the_same_classes() -> None:
    assert tuple(islice(stream(seed=5), 60)) == DRAWN
    assert tuple(islice(stream(seed=6), 60)) != DRAWN
    assert len({probe(one).id for one in DRAWN}) == len(DRAWN)


def test_classes_are_written_and_read_back() -> None:
    assert [decode(encode(one)) for one in DRAWN] == list(DRAWN)


def test_what_can_be_left_out_is_not_drawn() -> None:
    for seed in range(60):
        traits = class_traits(a_class(SeededDraw(seed), oversized=False, overlapping=False))
        assert traits.isdisjoint({"oversized bit-field", "overlapping member"})


def test_everything_is_drawn() -> None:
    every = {trait for one in islice(stream(seed=1), 500) for trait in class_traits(one)}
    assert {
        *("virtual base", "several bases", "virtual function", "union", "aligned class", "reference"),
        *("oversized bit-field", "overlapping member", "zero-width bit-field", "member pointer", "array"),
        *("defaulted function", "deleted function", "user-provided function", "private member"),
    } <= every


def test_unions_have_no_references_and_no_bases() -> None:
    for one in (part for question in DRAWN for part in parts(question) if part.union):
        assert not one.bases
        assert not one.own_virtual
        assert not any(isinstance(element(member.type), Reference) for member in one.members)


def test_the_small_scope_is_classes_each_of_which_comes_once() -> None:
    numbers = range(0, COUNT, 97)
    found = [one for one in map(hierarchy, numbers) if one is not None]
    assert len(found) > len(numbers) // 3
    assert len({probe(one).id for one in found}) == len(found)
    assert all(without_final_overrider(part) == [] for one in found for part in parts(one))


def test_a_seed_gives_the_small_scope_an_order_of_its_own() -> None:
    assert gcd(STEP, COUNT) == 1
    assert len({permuted(number, seed=3) for number in range(1000)}) == 1000
    assert permuted(0, seed=3) != permuted(0, seed=4)


A = Class("A", virtuals=(VirtualFunction("v"),))


def overriding(tag: str, *, virtual: bool = True) -> Class:
    return Class(tag, (Base(A, virtual=virtual),), virtuals=(VirtualFunction("v"),))


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (Class("C", (Base(overriding("X")), Base(overriding("Y")))), ["v"]),
        (Class("C", (Base(overriding("X", virtual=False)), Base(overriding("Y", virtual=False)))), []),
        (Class("C", (Base(overriding("X")), Base(A, virtual=True))), []),
        (Class("C", (Base(overriding("X")), Base(Class("Y", (Base(A, virtual=True),))))), []),
        (Class("C", (Base(A),)), []),
    ],
)
def test_a_function_with_two_final_overriders_must_be_overridden(asked: Class, names: list[str]) -> None:
    assert without_final_overrider(asked) == names


def test_every_function_that_is_drawn_has_one_final_overrider() -> None:
    drawn = [part for one in islice(stream(seed=2), 800) for part in parts(one)]
    assert [
        one for one in drawn if set(without_final_overrider(one)) - {item.name for item in one.virtuals}
    ] == []


def test_a_union_of_classes_has_a_destructor() -> None:
    unions = [part for one in islice(stream(seed=2), 800) for part in parts(one) if part.union]
    with_classes = [
        one for one in unions if any(isinstance(element(item.type), Class) for item in one.members)
    ]
    assert with_classes
    assert {one.specials.destructor.declared for one in with_classes} == {Declared.PROVIDED}


@pytest.mark.parametrize("number", range(12))
def test_every_candidate_is_simpler(number: int) -> None:
    asked = DRAWN[number]
    found = candidates(asked)
    assert all(isinstance(one, Class) and of_class(one) < of_class(asked) for one in found)
    assert found or of_class(asked) <= of_class(Class(asked.tag)) + 10


def test_a_class_is_reduced_to_what_matters() -> None:
    asked = next(one for one in islice(stream(seed=1), 500) if "oversized bit-field" in class_traits(one))
    while simpler := [one for one in candidates(asked) if "oversized bit-field" in class_traits(one)]:  # type: ignore[arg-type]
        asked = simpler[0]  # type: ignore[assignment]
    assert (len(parts(asked)), len(asked.members), asked.bases) == (1, 1, ())


LONG = DataMember(Scalar(Kind.INT), "a", 33)
HIDDEN = DataMember(Scalar(Kind.INT), "a", 33, Access.PRIVATE)
NO_PODS = (
    Class("K", members=(HIDDEN,)),
    Class("K", (Base(Class("E")),), (LONG,)),
    Class("K", members=(LONG,), virtuals=(VirtualFunction("v"),)),
    Class("K", members=(LONG,), specials=Specials(destructor=Destruction(Declared.PROVIDED))),
    Class("K", members=(LONG,), specials=Specials(copy=Declared.PROVIDED)),
)
"""The same class, no POD for one reason each."""


@pytest.mark.parametrize("asked", NO_PODS, ids=range(len(NO_PODS)))
def test_whatever_makes_a_class_no_pod_becomes_a_constructor(asked: Class) -> None:
    def showing(some: Sequence[Class]) -> list[Class]:
        return [one for one in some if not is_pod(one, TEXT) and "oversized bit-field" in class_traits(one)]

    least = shrink(asked, candidates, showing, lambda: False).question  # type: ignore[arg-type]
    made = Specials(default=Declared.PROVIDED)
    assert least == Class("K", members=(DataMember(Scalar(Kind.CHAR), "a", 9),), specials=made)

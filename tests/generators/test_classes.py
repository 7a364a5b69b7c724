"""Classes that are drawn, and simpler ones."""

from __future__ import annotations

from itertools import islice

import pytest

from abiprobe.generators.classes import a_class, stream
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.classes import of_class
from abiprobe.oracles.language.classes import Class, Reference, element, parts
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

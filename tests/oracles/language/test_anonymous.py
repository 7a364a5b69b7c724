"""Names decide nothing: every model gives a question without names the places that it gives the question."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from laboratory.dialects import SPELLINGS

from abiprobe.generators.types import records
from abiprobe.oracles.language.anonymous import nameless, nameless_type
from abiprobe.oracles.language.lang import (
    Array,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
)
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Assignment, Layout, Passed
from tests.oracles.test_laws import calls, drawn, dressed

models = st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=3, unique=True)


def placed(passed: Passed | None) -> Passed | None:
    """What is passed without the names in it."""
    return passed and msgspec.structs.replace(passed, name="", type="")


@drawn
@given(models, calls())
def test_a_prototype_without_names_has_the_same_places(names: list[str], asked: Prototype) -> None:
    for name in names:
        first, again = (find_model(name).assign(one) for one in (asked, nameless(asked)))
        assert type(first) is type(again)
        if isinstance(first, Assignment) and isinstance(again, Assignment):
            assert list(map(placed, again.params)) == list(map(placed, first.params))
            assert placed(again.result) == placed(first.result)
            assert again.hidden == first.hidden


@drawn
@given(models, st.one_of(records(), dressed()))
def test_a_record_without_names_is_laid_out_alike(names: list[str], asked: Record) -> None:
    for name in names:
        first, again = (find_model(name).layout(one) for one in (asked, nameless(asked)))
        assert type(first) is type(again)
        if isinstance(first, Layout) and isinstance(again, Layout):
            assert (again.size, again.align, again.clause) == (first.size, first.align, first.clause)
            assert [msgspec.structs.replace(one, path="") for one in again.members] == [
                msgspec.structs.replace(one, path="") for one in first.members
            ]


@settings(deadline=None)
@given(st.one_of(records(), dressed(), calls()))
def test_what_has_no_names_stays(asked: Record | Prototype) -> None:
    assert nameless(nameless(asked)) == nameless(asked)


def test_what_differs_in_names_alone_is_one_question() -> None:
    def function(name: str, pointee: str, tag: str, constants: tuple[int, ...]) -> Prototype:
        enum = Enum(f"e{tag}", tuple(Enumerator(f"{tag}_{at}", value) for at, value in enumerate(constants)))
        record = Record(tag, (Member(Array(Pointer(pointee), 2), f"{tag}s"), Member(enum, "kind")))
        return Prototype(name, Scalar(Kind.INT), (Param(f"the_{tag}", record), Param("p", Pointer(pointee))))

    one, other = function("f", "void", "S", (-1, 0, 7)), function("g", "char", "T", (7, -1))
    assert one != other
    assert nameless(one) == nameless(other)
    assert nameless(one) != nameless(function("f", "void", "S", (0, 7)))


def test_a_pointer_to_a_function_stays_one() -> None:
    assert nameless_type(Pointer("int", function=True)) != nameless_type(Pointer("int"))

"""Functions that are drawn for their frames: reproducible, with every kind of statement, and reducible."""

from __future__ import annotations

from itertools import islice

from hypothesis import given, settings

from abiprobe.generators.frames import (
    Branch,
    Call,
    Condition,
    Ending,
    Function,
    Local,
    Loop,
    Statement,
    Variable,
    function,
    simpler,
    size,
)
from abiprobe.generators.shrinking import made
from abiprobe.generators.streams import seeded

SOME = [function(seeded("frames", 1, number)) for number in range(300)]


def parts(body: tuple[Statement, ...]) -> list[Statement]:
    return [
        part for one in body for part in (one, *(parts(one.body) if isinstance(one, Branch | Loop) else ()))
    ]


def test_a_seed_draws_the_same_functions() -> None:
    assert [function(seeded("frames", 1, number)) for number in range(300)] == SOME
    assert function(seeded("frames", 2, 0)) != SOME[0]


def test_everything_is_drawn() -> None:
    every = [part for one in SOME for part in parts(one.body)]
    assert {type(part) for part in every} == {Call, Local, Variable, Branch, Loop}
    assert {one.ending for one in SOME} == set(Ending)
    assert {part.condition for part in every if isinstance(part, Branch)} == set(Condition)
    assert any(part.alloca for part in every if isinstance(part, Variable))
    assert any(one.variadic for one in SOME)
    assert any(one.kept and one.reals and one.parameters for one in SOME)


@settings(max_examples=50, deadline=None)
@given(made(function))
def test_a_candidate_is_simpler(one: Function) -> None:
    assert all(size(less) < size(one) for less in islice(simpler(one), 200))


def test_nothing_is_simpler_than_an_empty_function() -> None:
    assert list(simpler(Function())) == []
    current = max(SOME, key=size)
    while found := list(simpler(current)):
        current = found[0]
    assert current == Function()

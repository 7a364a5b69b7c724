"""A descent ends at the smallest question that shows something, and asks no more than it has to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise

from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.shrinking import Shrunk, cheapest, shrink
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Question

INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)
LARGE = Prototype("f", INT, tuple(Param(f"a{at}", DOUBLE if at == 5 else INT) for at in range(9)))


def with_double(some: Sequence[Question]) -> list[Question]:
    return [
        one
        for one in some
        if isinstance(one, Prototype) and any(param.type == DOUBLE for param in one.params)
    ]


def shrunk(seconds: int = 1 << 30) -> Shrunk[Question]:
    """A descent to a parameter that is a double, whose time is over when it was looked at so often."""
    clock = count()
    return shrink(LARGE, candidates, with_double, lambda: next(clock) >= seconds)


def test_what_is_left_is_the_smallest() -> None:
    found = shrunk()
    assert isinstance(found.question, Prototype)
    assert [param.type for param in found.question.params] == [DOUBLE]
    assert found.finished
    assert not with_double(candidates(found.question))


def test_rounds_are_told_and_each_costs_less() -> None:
    told: list[tuple[int, int]] = []
    found = shrink(
        LARGE, candidates, with_double, lambda: False, advance=lambda at, one: told.append((at, cost(one)))
    )
    assert [at for at, _ in told] == [*range(1, found.rounds + 1)]
    costs = [cost(LARGE), *(each for _, each in told)]
    assert all(before > after for before, after in pairwise(costs[:-1]))
    assert costs[-1] == costs[-2]


def test_without_time_nothing_is_asked() -> None:
    assert shrunk(0) == Shrunk(LARGE, 1, 0, finished=False)


def test_what_was_reached_when_the_time_ends_is_kept() -> None:
    found = shrunk(3)
    assert not found.finished
    assert cost(found.question) < cost(LARGE)


def test_no_batch_is_asked_behind_one_that_shows_it() -> None:
    asked: list[int] = []

    def showing(some: Sequence[Question]) -> Sequence[Question]:
        asked.append(len(some))
        return with_double(some) if len(asked) == 2 else []

    waiting = candidates(LARGE)
    best, tried = cheapest(waiting, showing, lambda: False, (2, 30))
    assert asked == [2, 30]
    assert tried == 32
    assert best == min(with_double(waiting[2:32]), key=cost)

"""Descend to the smallest question that still shows something: round by round to the cheapest candidate that does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from abiprobe.generators.reduction.cost import cost
from abiprobe.oracles.language.question import Question

Q = TypeVar("Q", bound=Question)

SIZES = (48, 160)
"""How many candidates are asked together: those of the first batch of a round, which are most likely to do, and of each later one."""


@dataclass(frozen=True)
class Shrunk(Generic[Q]):
    """The end of a descent: what is left, and how many rounds and candidates it took.

    `finished` says that no candidate was left to try when it ended.
    """

    question: Q
    rounds: int
    tried: int
    finished: bool


def shrink(
    question: Q,
    candidates: Callable[[Q], Sequence[Q]],
    showing: Callable[[Sequence[Q]], Sequence[Q]],
    over: Callable[[], bool],
    sizes: tuple[int, int] = SIZES,
    advance: Callable[[int, Q], None] = lambda _round, _question: None,
) -> Shrunk[Q]:
    """Return the smallest question reached from `question`, which shows it, by candidates that show it, too.

    `showing` returns those of some candidates that show it; nothing more is asked when the time is `over`. `advance` is called
    with the number of each round and what is left after it.
    """
    rounds = tried = 0
    while True:
        better, asked = cheapest(candidates(question), showing, over, sizes)
        rounds, tried = rounds + 1, tried + asked
        finished = not over()
        question = better or question
        advance(rounds, question)
        if better is None or not finished:
            return Shrunk(question, rounds, tried, finished)


def cheapest(
    waiting: Sequence[Q],
    showing: Callable[[Sequence[Q]], Sequence[Q]],
    over: Callable[[], bool],
    sizes: tuple[int, int] = SIZES,
) -> tuple[Q | None, int]:
    """Return the cheapest of the first batch of candidates of which some show it, and how many were asked.

    `None` when none does in time.
    """
    tried = 0
    length, later = sizes
    while waiting and not over():
        now, waiting = waiting[:length], waiting[length:]
        tried += len(now)
        found = showing(now)
        if found:
            return min(found, key=cost), tried
        length = later
    return None, tried

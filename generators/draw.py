"""Sources of a generator's decisions.

The grammar of types and prototypes is written once, against `Draw`. A source of decisions is either Hypothesis,
which can shrink what it chose, or a seeded pseudo-random sequence, which is quick and the same on every machine.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw(ABC):
    """A sequence of decisions. Every choice is an integer, and 0 is always the simplest one."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """An integer in `[0, bound)`."""

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`, which are ordered simplest first; an option may be listed twice to weigh more."""
        return options[self.below(len(options))]

    def part(self, build: Callable[[], T]) -> T:
        """Return the value that `build` makes; its decisions are kept together and can be deleted together."""
        return build()

    def burden(self, choices: int) -> None:
        """Lengthen the sequence by `choices` that decide nothing.

        A shrinker prefers the shorter sequence, so a rare alternative that needs fewer choices than the plain one
        carries a burden.
        """
        for _ in range(choices):
            self.below(2)


class SeededDraw(Draw):
    """Decisions from a seed: equal seeds decide equally in every process and Python version.

    Only `Random.random` is used, the one method whose sequence Python promises to keep.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - test data, not secrets

    def below(self, bound: int) -> int:
        return int(self._random() * bound)

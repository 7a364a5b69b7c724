"""Decisions of Hypothesis's, for examples that shrink. Apart from `draw`, so that a run does not load Hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

from abiprobe.generators.draw import Draw

T = TypeVar("T")


class ShrinkingDraw(Draw):
    """Decisions of Hypothesis's, one small integer each."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        return self._draw(_integers(bound))

    def part(self, build: Callable[[], T]) -> T:
        return self._draw(_NO_CHOICE.map(lambda _: build()))


@st.composite
def made(draw: st.DrawFn, build: Callable[[Draw], T]) -> T:
    """Return the value that `build` makes of decisions drawn by Hypothesis."""
    return build(ShrinkingDraw(draw))


_NO_CHOICE = st.none()


@cache
def _integers(bound: int) -> st.SearchStrategy[int]:
    return st.integers(0, bound - 1)

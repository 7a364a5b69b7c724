"""Progress of work, for any display; without a display it costs nothing.

Work says what it does and how much of it there is, and is not told whether a person sees that. One process does one
thing at a time, so there is one who shows it, and what workers do is told where their answers arrive.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Step(Protocol):
    """A callback for a completed part."""

    def __call__(self, words: str = "", amount: float = 1) -> None:
        """A part is done: what is going on, in words, and how much it was."""


class Display(Protocol):
    """A display of progress."""

    def begin(
        self, what: str, total: float | None, seconds: float | None, done: Callable[[], float] | None
    ) -> int:
        """Begin to show some work; the answer names it."""

    def step(self, number: int, words: str, amount: float) -> None:
        """A part of some work is done."""

    def end(self, number: int) -> None:
        """Some work is over."""

    def hide(self) -> None:
        """Something else is about to be printed."""


_shown_by: list[tuple[int, Display]] = []


@contextmanager
def shown_by(display: Display) -> Iterator[None]:
    """Let somebody show what this process says until the end of the block."""
    _shown_by.append((os.getpid(), display))
    try:
        yield
    finally:
        _shown_by.pop()


def _display() -> Display | None:
    """Return the display of this process; none in a worker, which was forked from the process with the display."""
    return _shown_by[-1][1] if _shown_by and _shown_by[-1][0] == os.getpid() else None


@contextmanager
def steps(
    what: str,
    total: float | None = None,
    *,
    seconds: float | None = None,
    done: Callable[[], float] | None = None,
) -> Iterator[Step]:
    """Report each step of some work to the display until the end of the block.

    It is over after `total` steps, if that is known, or after so many `seconds` at the latest. `done` is asked now and
    then how much of `total` there is, where nobody can tell the steps.
    """
    display = _display()
    if display is None:
        yield _unseen
        return
    number = display.begin(what, total, seconds, done)
    try:

        def step(words: str = "", amount: float = 1) -> None:
            display.step(number, words, amount)

        yield step
    finally:
        display.end(number)


def _unseen(words: str = "", amount: float = 1) -> None:
    """Accept a step without showing it."""


def counted(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The items, each of which is a step that is done when the next is asked for."""
    with steps(what, total) as step:
        for item in items:
            yield item
            step()


def hide() -> None:
    """Remove what is shown before something else is printed; it comes back."""
    display = _display()
    if display is not None:
        display.hide()

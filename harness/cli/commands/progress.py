"""Progress with an estimate, on a terminal: what is done, how much of it, since when, and for how long yet.

A timer draws, no thread: the work forks, which a thread would not survive, and a timer does not follow into a child.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base.progress import shown_by

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

PATIENCE, INTERVAL = 1.0, 0.5
"""Seconds before anything is drawn, and between two drawings."""
MINUTE, HOUR = 60, 3600


class Work(msgspec.Struct):
    """Some work that is going on; `total` and `seconds` are `None` where nobody knows."""

    what: str
    began: float
    total: float | None = None
    seconds: float | None = None
    measure: Callable[[], float] | None = None
    done: float = 0.0
    words: str = ""

    def share(self, now: float) -> float | None:
        """Return the completed share, from 0 to 1."""
        if self.total:
            return min(self.done / self.total, 1.0)
        return min((now - self.began) / self.seconds, 1.0) if self.seconds else None

    def estimate(self, now: float) -> str:
        """Return how long the work will still take, as far as that is known."""
        took = now - self.began
        if self.total and self.done:
            left = took / self.done * max(self.total - self.done, 0.0)
            return f"about {clock(left)} left"
        if self.seconds:
            return f"at most {clock(max(self.seconds - took, 0.0))} left"
        return ""

    def amount(self) -> str:
        """Return the number of completed steps."""
        if self.total is None or self.measure is not None:
            return ""
        return f"{self.done:.0f} of {self.total:.0f}"


def clock(seconds: float) -> str:
    """Seconds as people say them: 7 s, 2:05, 1:02:05."""
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    hours, rest = divmod(whole, HOUR)
    minutes, left = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


class Lines:
    """The work under way, drawn on a terminal: a line for each piece of work, the outermost first."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._works: dict[int, Work] = {}
        self._next = 0
        self._live: Live | None = None
        self._busy = False

    def begin(
        self, what: str, total: float | None, seconds: float | None, done: Callable[[], float] | None
    ) -> int:
        """Begin to show some work, and start the timer with the first."""
        if not self._works:
            # The timer must not interrupt the loading of what it needs itself.
            from abiprobe.harness.cli.commands import live_lines  # noqa: F401

            signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE, INTERVAL)
        self._next += 1
        self._works[self._next] = Work(what, self._now(), total, seconds, done)
        return self._next

    def step(self, number: int, words: str, amount: float) -> None:
        """A part of some work is done."""
        work = self._works[number]
        work.done, work.words = work.done + amount, words or work.words

    def end(self, number: int) -> None:
        """Some work is over; the last one takes the lines and the timer with it."""
        self._works.pop(number, None)
        if not self._works:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.hide()

    def hide(self) -> None:
        """Remove the lines, which the timer draws again."""
        if self._live is None:
            return
        with self._alone():
            live, self._live = self._live, None
            live.stop()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Draw nothing else meanwhile."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    def _tick(self, _number: int, _frame: FrameType | None) -> None:
        if self._busy:
            return
        # What is being printed just then is printed first; the next tick draws.
        with suppress(RuntimeError):
            self.draw()

    def draw(self) -> None:
        """Draw the lines anew."""
        from abiprobe.harness.cli.commands.live_lines import begun

        with self._alone():
            if self._live is None:
                self._live = begun()
            self._live.update(self.table(), refresh=True)

    def table(self) -> Table:
        """A row for each work."""
        from abiprobe.harness.cli.commands.live_lines import rows

        now = self._now()
        works = tuple(self._works.values())
        for work in works:
            if work.measure is not None:
                work.done = work.measure()
        return rows(
            (
                work.words or work.what,
                work.share(now),
                work.amount(),
                clock(now - work.began),
                work.estimate(now),
            )
            for work in works
        )


@contextmanager
def progress_lines() -> Iterator[None]:
    """Show progress until the end of the block if standard error is a terminal."""
    if not sys.stderr.isatty() or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGALRM)
    try:
        with shown_by(Lines()):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

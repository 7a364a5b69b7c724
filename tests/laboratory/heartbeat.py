"""Progress lines on standard error at fixed intervals, for work that takes minutes; in a pipe too."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
INTERVAL = 10.0
"""Seconds between two lines."""


class Heartbeat:
    """How far some work is: `flags: 5 of 41 done, 120 s`."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._started = clock()
        self._done = ""

    def watch(self, items: Iterable[T], total: int) -> Iterator[T]:
        """The items, counted as they pass."""
        self._done = f"0 of {total} done, "
        for number, item in enumerate(items, 1):
            yield item
            self._done = f"{number} of {total} done, "

    def __str__(self) -> str:
        return f"{self._what}: {self._done}{self._clock() - self._started:.0f} s"

    @contextmanager
    def beating(self, interval: float = INTERVAL) -> Iterator[Heartbeat]:
        """Print a line at intervals, by a timer: the work forks, which a thread would not survive, and a timer does not follow."""

        def beat(*_: object) -> None:
            sys.stderr.write(f"{self}\n")
            sys.stderr.flush()

        before = signal.signal(signal.SIGALRM, beat)
        signal.setitimer(signal.ITIMER_REAL, interval, interval)
        try:
            yield self
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

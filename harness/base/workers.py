"""Worker pools that outlive their workers, and whose processes stop cleanly, without leaving children or scratch files."""

from __future__ import annotations

import errno
import gc
import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Generic, Protocol, TypeVar

from abiprobe.harness.base import child
from abiprobe.harness.base.pool_pipe import Pool, emptied
from abiprobe.harness.base.problem import Problem

A = TypeVar("A")
B = TypeVar("B")

FORK = multiprocessing.get_context("fork")
"""How workers begin, whatever the default of a Python is: loaded already, and without a server whose socket would lie in the
scratch folder."""
GRACE = 15.0
"""Seconds in which a worker that is told to end cleans up."""
SELDOM = (50_000, 50, 100)
"""Thresholds of the collector of cycles in workers."""
WATCH = 5.0
"""Seconds without a result after which it is looked whether a worker is gone."""
AHEAD = 2
"""Items queued per worker, so that none idles while the next one is made."""
DEATHS = 12
"""How many workers may die one after another without an answer in between."""
SHARED = Path("/dev/shm")  # noqa: S108 - where the C library has the semaphores of the pool; it takes no other folder
UNUSABLE = frozenset(
    {errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOSYS}
)
"""The system's errors where no semaphore can be made there."""
LOSSES = BrokenProcessPool, MemoryError
"""Errors that end a worker's work on an item without the item being wrong."""


@dataclass(frozen=True)
class Work(Generic[A, B]):
    """The work of worker processes: what they do with an item, and how one is handled on which they die.

    `halves` divides an item, or gives nothing if it cannot be divided; `join` puts the results of halves together; `lost` is
    the result of what cannot be divided and has cost a worker each time. `do` and `lost` run in workers, which find them by
    name.
    """

    do: Callable[[A], B]
    lost: Callable[[A], B]
    halves: Callable[[A], Sequence[A]] = lambda _item: ()
    join: Callable[[A, Sequence[B]], B] = lambda _item, parts: parts[0]


class Clock(Protocol):
    """A limit on the time of work."""

    def over(self) -> bool:
        """Return whether no new work may start."""

    def left(self) -> float:
        """Seconds until what has been begun is given up."""


class Endless:
    """No limit of time."""

    def over(self) -> bool:
        """Never."""
        return False

    def left(self) -> float:
        """Seconds without end."""
        return math.inf


ENDLESS = Endless()


def results(
    work: Work[A, B], items: Iterable[A], workers: int, clock: Clock = ENDLESS
) -> Iterator[tuple[int, B]]:
    """Yield the results of items with their numbers, as they are done; workers are kept busy as long as the clock allows.

    A worker that dies costs what the workers were doing, which is done again, each item by itself; one that costs another
    worker is divided. Raises what the work raises, and `Problem` when workers only die.
    """
    queue = enumerate(items)
    pool = pool_of(workers)
    waiting: dict[Future[B], tuple[int, A]] = {}
    try:
        while clock.left() > 0:
            if clock.over():
                waiting = {future: one for future, one in waiting.items() if not future.cancel()}
            elif len(waiting) < workers * AHEAD and (one := next(queue, None)) is not None:
                waiting[submitted(pool, work.do, one[1])] = one
                continue
            if not waiting:
                break
            ready = settled(pool, waiting, clock)
            ended = [(future, *waiting.pop(future)) for future in ready]
            lost = [(number, item) for future, number, item in ended if _is_lost(future)]
            yield from ((number, future.result()) for future, number, _ in ended if not _is_lost(future))
            if lost:
                again = sorted((*lost, *waiting.values()), key=lambda one: one[0])
                waiting = {}
                stop(pool)
                child.end_strays()
                yield from alone(work, again, clock)
                pool = pool_of(workers)
    except BaseException:
        stop(pool)
        raise
    if waiting:
        stop(pool)
    else:
        pool.shutdown()


def submitted(pool: Pool, do: Callable[[A], B], item: A) -> Future[B]:
    """The future result of an item; of a pool whose worker died a moment ago, a future that is lost."""
    try:
        return pool.submit(do, item)
    except BrokenProcessPool as loss:
        lost: Future[B] = Future()
        lost.set_exception(loss)
        return lost


def settled(pool: Pool, futures: Iterable[Future[B]], clock: Clock) -> Collection[Future[B]]:
    """Wait a while for one of some futures, and return those that are done.

    A pool notices a dead worker at once, but not while it waits for the rest of a result; it is ended then.
    """
    ready = wait(futures, max(0.0, min(clock.left(), WATCH)), FIRST_COMPLETED).done
    if not ready and clock.left() > 0 and pool.has_lost():
        stop(pool)
    return ready


def in_order(found: Iterable[tuple[int, B]]) -> Iterator[B]:
    """Results in the order of their items, each as soon as those before it are there."""
    early: dict[int, B] = {}
    for number in count():
        while number not in early:
            one = next(iter(found), None)
            if one is None:
                return
            early[one[0]] = one[1]
        yield early.pop(number)


def _is_lost(future: Future[B]) -> bool:
    return isinstance(future.exception(), LOSSES)


def alone(work: Work[A, B], items: Iterable[tuple[int, A]], clock: Clock) -> Iterator[tuple[int, B]]:
    """Yield the results of numbered items, done one at a time, as far as the clock allows."""
    with Lonely(work, clock) as worker:
        for number, item in items:
            try:
                yield number, worker.result(item)
            except TimeoutError:
                return


class Lonely(Generic[A, B]):
    """One worker that does one item at a time, and is replaced when it dies."""

    def __init__(self, work: Work[A, B], clock: Clock) -> None:
        self._work, self._clock = work, clock
        self._pool, self._deaths = pool_of(1), 0

    def __enter__(self) -> Lonely[A, B]:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self._pool)

    def result(self, item: A) -> B:
        """The result of an item, by halves if it costs the worker. Raises `TimeoutError` when no time is left."""
        try:
            return self._done(self._work.do, item)
        except LOSSES:
            parts = self._work.halves(item)
        if parts:
            return self._work.join(item, [self.result(part) for part in parts])
        return self._done(self._work.lost, item)

    def _done(self, do: Callable[[A], B], item: A) -> B:
        try:
            future = submitted(self._pool, do, item)
            while not settled(self._pool, (future,), self._clock):
                if self._clock.left() <= 0:
                    raise TimeoutError
            found = future.result()
        except LOSSES as loss:
            stop(self._pool)
            child.end_strays()
            self._pool, self._deaths = pool_of(1), self._deaths + 1
            if self._deaths > DEATHS or do is self._work.lost:
                raise Problem(
                    f"worker processes end as soon as they begin ({type(loss).__name__})",
                    "is there enough memory? Does something kill them?",
                ) from loss
            raise
        self._deaths = 0
        return found


def pool_of(workers: int | None = None) -> Pool:
    """A pool of so many workers, one for each core by default; raises `Problem` where no semaphore can be made for them."""
    try:
        return Pool(workers, FORK, initializer=start_worker, initargs=(os.getpid(),)).keep_read_end()
    except OSError as error:
        if error.errno not in UNUSABLE:
            raise
        words = f"cannot make a semaphore in {SHARED}, which worker processes need ({error.strerror})"
        raise Problem(words, f"mount a file system at {SHARED} that you can write, with some room") from error


def start_worker(parent: int) -> None:
    """Prepare a worker process.

    Ctrl-C reaches every process of the terminal; workers wait for the parent's word, and end if it dies. Their values have
    few cycles and live as long as a batch, so the collector of cycles looks seldom.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave_at_once)
    child.adopt()
    child.die_with(parent)


class Leaving(BaseException):
    """Raised in a worker that is stopped; unwinding removes scratch files and children."""


def _leave_at_once(_number: int, _frame: FrameType | None) -> None:
    os._exit(1)


def _leave(_number: int, _frame: FrameType | None) -> None:
    # The pool tells a worker too, and a second word would cut the tidying short.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Leaving


def leaving(function: Callable[[A], B], argument: A) -> B:
    """Call a function in a worker that may be told to end; the pool would take one that leaves for one that failed."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        return function(argument)
    except Leaving:
        child.end_all()
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, _leave_at_once)


def stop(pool: Pool) -> None:
    """End the workers now; each removes its scratch files and ends its children."""
    workers = list((pool._processes or {}).values())  # noqa: SLF001 - terminate_workers() came with 3.14
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        worker.kill()
    pool.end_results()
    with emptied(pool):
        pool.shutdown(wait=True, cancel_futures=True)

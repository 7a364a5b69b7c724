"""Worker pools whose processes stop cleanly, without leaving children or scratch files."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from types import FrameType
from typing import TypeVar

from abiprobe.harness.base import child

A = TypeVar("A")
B = TypeVar("B")

FORK = multiprocessing.get_context("fork")
"""How workers begin, whatever the default of a Python is: loaded already, and without a server whose socket would lie in the
scratch folder."""
GRACE = 15.0
"""Seconds in which a worker that is told to end cleans up."""
SELDOM = (50_000, 50, 100)
"""Thresholds of the collector of cycles in workers."""


def pool_of(workers: int | None = None) -> ProcessPoolExecutor:
    """A pool of so many workers, one for each core by default."""
    return ProcessPoolExecutor(workers, FORK, initializer=start_worker)


def start_worker() -> None:
    """What a worker does first.

    Ctrl-C reaches every process of the terminal; workers wait for the parent's word. Their values have few cycles and
    live as long as a batch, so the collector of cycles looks seldom.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave_at_once)


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


def stop(pool: ProcessPoolExecutor) -> None:
    """End the workers now; each removes its scratch files and ends its children.

    A job is larger than a pipe: the pool's own thread may still be writing one when nobody is left to read it, and
    would wait for ever unless the reading end is closed. CPython does so itself since 3.11.5 (gh-94777); closing it here
    as well would race with that thread for one file descriptor.
    """
    workers = list((pool._processes or {}).values())  # noqa: SLF001 - terminate_workers() came with 3.14
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        worker.kill()
    if sys.version_info < (3, 11, 5):
        pool._call_queue._reader.close()  # type: ignore[attr-defined]  # noqa: SLF001
    pool.shutdown(wait=True, cancel_futures=True)

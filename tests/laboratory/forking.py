"""Work on mutants, each in a process of its own: the wrong modules stay there, and so do crashes and endless loops."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import TypeVar

from laboratory.menu import Mutant

SECONDS = 90
"""A wrong model that has not come to an end by so many seconds of CPU is hung."""
WAITING = 20.0
"""So many times as long it may take by the clock, on a machine that others use."""
FORK = multiprocessing.get_context("fork")
T = TypeVar("T")


def forked(
    work: Callable[[Mutant], T], chosen: Sequence[Mutant], jobs: int
) -> Iterator[tuple[Mutant, T | str]]:
    """What came of each mutant, at most `jobs` at a time: an answer, or `died` or `hung`."""
    waiting = list(reversed(chosen))
    running: dict[Connection, tuple[Mutant, multiprocessing.context.ForkProcess, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=_answer, args=(theirs, work, mutant), daemon=True)
            process.start()
            theirs.close()
            running[ours] = (mutant, process, time.monotonic() + SECONDS * WAITING)
        for ready in wait(list(running), timeout=1.0):
            assert isinstance(ready, Connection)
            mutant, process, _ = running.pop(ready)
            try:
                yield mutant, ready.recv()
            except EOFError:
                process.join()
                yield mutant, "hung" if process.exitcode == -signal.SIGXCPU else "died"
            process.join()
        for connection, (mutant, process, end) in list(running.items()):
            if time.monotonic() > end:
                process.kill()
                process.join()
                del running[connection]
                yield mutant, "hung"


def _answer(answer: Connection, work: Callable[[Mutant], T], mutant: Mutant) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    answer.send(work(mutant))
    answer.close()

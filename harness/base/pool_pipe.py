"""The pipes of a process pool: jobs are taken out when nobody is left to read them, and results end with their writers."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection

FIXED = (3, 11, 5)
"""The first Python whose pools do not wait for workers that are gone (gh-94777)."""
PAUSE = 0.05
"""Seconds between two looks into the pipe."""
CHUNK = 1 << 16


class Pool(ProcessPoolExecutor):
    """A process pool that keeps a read end of its pipe, which nobody else closes, as long as a Python needs one."""

    jobs: int | None = None

    def keep_read_end(self) -> Pool:
        """Keep a read end if this Python needs one."""
        if sys.version_info < FIXED:
            reader = self._call_queue._reader  # type: ignore[attr-defined]  # noqa: SLF001
            self.jobs = os.dup(reader.fileno())
        return self

    def end_results(self) -> None:
        """Close our write end, when all workers have ended; for the rest of one's result the pool would wait for ever."""
        if self._result_queue is not None:
            self._result_queue._writer.close()  # type: ignore[attr-defined]  # noqa: SLF001

    def has_lost(self) -> bool:
        """Return whether a worker has ended, though nobody told it to."""
        return bool(connection.wait([one.sentinel for one in list((self._processes or {}).values())], 0))


@contextmanager
def emptied(pool: Pool) -> Iterator[None]:
    """Empty the pipe of a pool whose workers have ended: its thread may be writing a job, which is larger than a pipe."""
    if pool.jobs is None:
        yield
        return
    jobs, pool.jobs = pool.jobs, None
    over = threading.Event()
    reader = threading.Thread(target=_empty, args=(jobs, over), daemon=True)
    reader.start()
    try:
        yield
    finally:
        over.set()
        reader.join()
        os.close(jobs)


def _empty(jobs: int, over: threading.Event) -> None:
    while not over.wait(PAUSE):
        while select.select([jobs], [], [], 0)[0] and os.read(jobs, CHUNK):
            pass

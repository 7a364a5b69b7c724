"""Work on what others wrote, in a process of its own with limits of time and memory: a library in ours would take us along."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from abiprobe.harness.base.child import address_space
from abiprobe.harness.base.problem import Problem

T = TypeVar("T")
SECONDS = 60.0
MEMORY = 2 << 30
"""Bytes of address space on top of ours."""
PIECE = 1 << 16


def isolated(work: Callable[[], T], what: str, seconds: float = SECONDS, memory: int = MEMORY) -> T:
    """The result of `work`, done by a forked process. Raises `Problem` as the work does, and when it fails in any other way.

    `what` is worked on, for messages. The result and what is in it must be values that can be pickled.
    """
    reading, writing = os.pipe()
    # Nothing of ours is to be written twice, and no thread is in the middle of something.
    number = os.fork()
    if number == 0:
        _work(work, writing, memory)
    os.close(writing)
    try:
        data = _received(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
        status = os.waitpid(number, 0)[1]
    if data is None:
        raise Problem(
            f"{what} cannot be read within {seconds:g} s",
            "is it very large, or does it include a pipe, a device or itself?",
        )
    if not data:
        why = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "no answer"
        raise Problem(
            f"{what} cannot be read: the reader ended with {why}", f"it may use {memory >> 20} MiB of memory"
        )
    # Written by our own fork a moment ago.
    done, value = pickle.loads(data)  # noqa: S301
    if not done:
        raise Problem(*value)
    return cast("T", value)


def _work(work: Callable[[], object], writing: int, memory: int) -> None:
    """Do the work in the forked process, which ends here whatever happens."""
    try:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        # What a library says when it gives up is no message of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        bound = address_space() + memory
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard == resource.RLIM_INFINITY or bound < hard:
            resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
        data = memoryview(pickle.dumps(_done(work)))
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)


def _done(work: Callable[[], object]) -> tuple[bool, Any]:
    try:
        return True, work()
    except Problem as problem:
        return False, (problem.message, problem.hint)
    except MemoryError:
        return False, ("there is not enough memory to read it",)
    except Exception as error:  # noqa: BLE001 - whatever the text did to the reader, it is the text's fault for the user
        return False, (f"it cannot be read ({type(error).__name__}: {error})", "please report this")


def _received(reading: int, deadline: float) -> bytes | None:
    """All that is written, `None` if that takes too long."""
    found = bytearray()
    ready = select.poll()
    ready.register(reading, select.POLLIN)
    while ready.poll(1000 * max(0.0, deadline - time.monotonic())):
        piece = os.read(reading, PIECE)
        if not piece:
            return bytes(found)
        found += piece
    return None

"""Writing to the folder of installed compilers: one process at a time, and a full disk is told as one."""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from abiprobe.harness.base.cache import cache_dir, obstacle
from abiprobe.harness.base.faults import HINTS
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import remove_tree

WAITING = "another abiprobe is installing or removing compilers: waiting for it"
ROOM = "make room there, or set ABIPROBE_CACHE to another folder"
NO_ROOM = re.compile(
    rb"(No space left on device|Disk quota exceeded|Read-only file system|Input/output error)|have enough free space in"
)
"""Messages of pip, dpkg and apt then; the last of them says so before it begins."""


@contextmanager
def alone(place: Path, tell: Callable[[str], object]) -> Iterator[None]:
    """Let no other process change the compilers in `place` meanwhile; `tell` gets a line if one is to be waited for.

    What a process left there that was killed is removed first. Raises `Problem` where nothing can be kept.
    """
    words = obstacle(cache_dir())
    if words:
        raise Problem(words, "set ABIPROBE_CACHE")
    lock = os.open(
        place.with_name(f"{place.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(WAITING)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for path in (*place.glob(".*"), *place.glob("downloads/.*")):
            remove_tree(path)
        with naming(place):
            yield
    finally:
        os.close(lock)


@contextmanager
def naming(place: Path) -> Iterator[None]:
    """Name a folder in a fault of the machine for which the system names no file, such as a disk that is full."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in HINTS:
            raise OSError(error.errno, error.strerror, str(place)) from error
        raise


def expect_room(place: Path, said: bytes) -> None:
    """Raise `Problem` if what a tool said means that there was no room for what it writes to a folder."""
    found = NO_ROOM.search(said)
    if found:
        why = found[1].decode() if found[1] else os.strerror(errno.ENOSPC)
        raise Problem(f"{place}: {why}", ROOM)

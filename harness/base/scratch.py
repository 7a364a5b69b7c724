"""Scratch folders: one for each process, removed at its end, or swept by the next run.

A worker that is killed while it makes a folder, and a compiler that is killed or crashes, tidy up nothing, and nobody tidies
up after a run that was killed. So everything lies in the folder of the process that leads, which holds a lock on it for
as long as it or a worker of its lives.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import remove_tree, temporary
from abiprobe.results.journal.printable import printable

WHERE = "TMPDIR"
PREFIX = "abiprobe-run-"
UNLOCKED = "abiprobe-new-"
"""How folders begin that are not locked yet."""
ABANDONED = 3600.0
"""Seconds after which nobody is about to lock such a folder."""

F = TypeVar("F", bound=Callable[..., object])

_HOME: dict[str, Path] = {}
_FORGET: list[Callable[[], None]] = []
"""Functions to call when the folder is removed before the process ends."""


def home() -> Path:
    """The folder of this process, or of the one that it was forked from; raises `Problem` if it cannot be made."""
    known = _HOME.get("")
    if known is not None and known.is_dir():
        return known
    where = Path(tempfile.gettempdir())
    try:
        made = Path(tempfile.mkdtemp(prefix=UNLOCKED, dir=where))
        # The lock goes with the folder when it gets its name, so nobody finds one of this name without a lock.
        fcntl.flock(os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), fcntl.LOCK_EX)
        path = made.with_name(PREFIX + made.name.removeprefix(UNLOCKED))
        made.rename(path)
    except OSError as error:
        raise Problem(
            f"cannot write to the folder for temporary files, {where} ({error.strerror})", f"set {WHERE}"
        ) from error
    _HOME[""] = path
    atexit.register(_remove, path, os.getpid())
    return path


def _remove(path: Path, owner: int) -> None:
    if os.getpid() == owner:
        remove_telling(path)


def remove_telling(path: Path) -> None:
    """Remove a folder of ours, and say in one line if something of it stays."""
    left = remove_tree(path)
    if left:
        sys.stderr.write(
            f"abiprobe: cannot remove {printable(str(path))} ({left[0].reason}): remove it yourself\n"
        )


def own(name: str) -> Path:
    """A folder of this name that stays as long as the process; it may be there already."""
    path = home() / name
    path.mkdir(exist_ok=True)
    return path


def cached_with_home(function: F) -> F:
    """A `functools.cache` of a function whose answers name files of the folder; it is emptied when the folder goes."""
    cached = cache(function)
    _FORGET.append(cached.cache_clear)
    return cast("F", cached)


@contextmanager
def scratch() -> Iterator[None]:
    """A folder for what this process, its workers and the tools that they call would leave in the temporary one."""
    sweep()
    before, homeless = os.environ.get(WHERE), not _HOME
    with temporary("tmp-", home()) as folder:
        os.environ[WHERE] = tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ[WHERE]
            else:
                os.environ[WHERE] = before
    if homeless:
        remove_telling(_HOME.pop(""))
        for forget in _FORGET:
            forget()


def sweep() -> None:
    """Remove the folders of processes that were killed, and end what they started and left running."""
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob("abiprobe-*-*"):
            with suppress(OSError):
                about = path.lstat()
                if about.st_uid != os.geteuid() or not path.is_dir() or path.is_symlink():
                    continue
                if path.name.startswith(PREFIX):
                    _sweep(path)
                elif path.name.startswith(UNLOCKED) and time.time() - about.st_mtime > ABANDONED:
                    path.rmdir()


def _sweep(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            child.end_marked(f"{WHERE}={path}/")
            remove_tree(path)
    finally:
        os.close(descriptor)

"""Remove folders that somebody else has filled: however deep they are, whatever they forbid, and without following a link.

Nothing here descends. What lies in a folder within is moved up to the outermost one and emptied there, so neither the
depth nor the length of a path has a limit, and no more than three files are open at a time.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FULL = frozenset({errno.ENOTEMPTY, errno.EEXIST})
"""The kernel's errors for a folder that is not empty."""
TAKEN = FULL | {errno.ENOTDIR}
"""Its errors when a folder is to be moved to a name that something else has."""
OURS = 0o700
PASSES = 3
"""How often a folder is gone through: somebody may add to it meanwhile."""


class Left(msgspec.Struct, frozen=True):
    """Something in a folder that could not be removed: its own name, and why."""

    name: str
    reason: str


class Emptying:
    """An open folder being emptied; `left` is what could not be removed."""

    def __init__(self, root: int) -> None:
        self.left: list[Left] = []
        self._root = root
        self._waiting: deque[str] = deque()
        self._numbers = count()

    def empty(self) -> None:
        """Remove all that is in the folder, as far as that is possible."""
        self.left.clear()
        self._remove_from(self._root)
        while self._waiting:
            name = self._waiting.popleft()
            with self._noting(name):
                inside = opened(name, self._root)
                try:
                    self._remove_from(inside)
                finally:
                    os.close(inside)
                os.rmdir(name, dir_fd=self._root)

    def _remove_from(self, folder: int) -> None:
        """Remove the entries of an open folder; folders that are not empty wait in the outermost one."""
        for name in os.listdir(folder):
            with self._noting(name):
                self._remove(name, folder)

    def _remove(self, name: str, folder: int) -> None:
        try:
            os.unlink(name, dir_fd=folder)
        except IsADirectoryError:
            self._remove_folder(name, folder)

    def _remove_folder(self, name: str, folder: int) -> None:
        """Remove a folder, or put off what takes more than that."""
        try:
            # Of a mount point the kernel says EBUSY first, so what is mounted there is not touched.
            os.rmdir(name, dir_fd=folder)
        except OSError as error:
            if error.errno not in FULL:
                raise
            self._waiting.append(name if folder == self._root else self._moved_up(name, folder))

    def _moved_up(self, name: str, folder: int) -> str:
        """The name in the outermost folder to which a folder was moved."""
        # The entry `..` of what is moved is written, which takes the right to write to it.
        os.close(opened(name, folder))
        for number in self._numbers:
            new = f".removed-{number}"
            try:
                os.rename(name, new, src_dir_fd=folder, dst_dir_fd=self._root)
            except OSError as error:
                if error.errno not in TAKEN:
                    raise
            else:
                return new
        raise AssertionError("numbers do not end")

    @contextmanager
    def _noting(self, name: str) -> Iterator[None]:
        """Note what cannot be removed, and go on."""
        try:
            yield
        except FileNotFoundError:
            pass
        except OSError as error:
            self.left.append(Left(name, error.strerror or type(error).__name__))


def opened(name: str, folder: int) -> int:
    """A folder opened for reading, with the rights to list and to empty it; raises `OSError` for what is none, or a link."""
    # Opened as a place only, which takes no right to the folder itself.
    place = os.open(name, os.O_PATH | FOLDER, dir_fd=folder)
    try:
        with suppress(OSError):
            Path(f"/proc/self/fd/{place}").chmod(OURS)
        return os.open(".", os.O_RDONLY | FOLDER, dir_fd=place)
    finally:
        os.close(place)


def remove_tree(path: Path) -> tuple[Left, ...]:
    """Remove a folder and all that is in it, and return what could not be removed; raises nothing."""
    emptying: Emptying | None = None
    try:
        parent = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            root = opened(path.name, parent)
            try:
                emptying = Emptying(root)
                for _ in range(PASSES):
                    emptying.empty()
                    try:
                        os.rmdir(path.name, dir_fd=parent)
                    except OSError as error:
                        if emptying.left or error.errno not in FULL:
                            raise
                    else:
                        break
            finally:
                os.close(root)
        finally:
            os.close(parent)
    except FileNotFoundError:
        return ()
    except OSError as error:
        last = Left(path.name, error.strerror or type(error).__name__)
        return (last,) if emptying is None else (*emptying.left, last)
    return ()


@contextmanager
def temporary(prefix: str = "abiprobe-", parent: Path | None = None) -> Iterator[str]:
    """A folder for as long as it is needed, by its path. What tools left in it that cannot be removed stays, without a word.

    The folder of the process, in which it lies, is removed again at the end.
    """
    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    try:
        yield folder
    finally:
        remove_tree(Path(folder))

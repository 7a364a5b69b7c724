"""Integrity of the unpacked files in the cache, from which compilers are started."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from abiprobe.harness.base.cache import Stamp, is_own, recall, remember, stamp


def seal(home: Path) -> bool:
    """Keep how a folder is now, as it has to be; whether that was possible."""
    is_whole.cache_clear()
    return remember(kept(home), f"{marks(home)} {contents(home)}".encode())


def kept(home: Path) -> Path:
    """Return the path of the digests of a folder."""
    return home.with_name(f"{home.name}.digest")


@cache
def is_whole(home: Path, _mark: Stamp) -> bool:
    """Return whether a folder is as it was sealed, found out once for each stamp of one of its files."""
    return is_as_sealed(home)


def is_as_sealed(home: Path) -> bool:
    """Return whether a folder is as it was sealed; contents are read only if the file system says that something has changed.

    Contents are read only if the file system says that something has changed.
    """
    try:
        own, known = is_own(home.parent.stat()) and is_own(home.stat()), recall(kept(home))
        if not own or known is None:
            return False
        then, right = known.decode("ascii").split()
        now = marks(home)
        if then != now and contents(home) != right:
            return False
    except (OSError, ValueError):
        return False
    if then != now:
        remember(kept(home), f"{now} {right}".encode())
    return True


def marks(home: Path) -> str:
    """A digest of what the file system says of a folder: any write to any of its files changes it."""
    found, start = hashlib.sha256(), len(str(home))
    for path in files(home):
        about = os.lstat(path)
        mark = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        found.update(f"{path[start:]}\0{mark}".encode(errors="surrogateescape"))
    return found.hexdigest()


def contents(home: Path) -> str:
    """A digest of the files of a folder, and of where its links lead."""
    found, start = hashlib.sha256(), len(str(home))
    for path in files(home):
        said = os.readlink(path) if os.path.islink(path) else digest(path)  # noqa: PTH114, PTH115 - thousands of files
        found.update(f"{path[start:]}\0{said}\0".encode(errors="surrogateescape"))
    return found.hexdigest()


def files(home: Path) -> list[str]:
    """The files and links in a folder, in a fixed order."""
    found = []
    for top, folders, names in os.walk(home):
        linked = (name for name in folders if os.path.islink(f"{top}/{name}"))  # noqa: PTH114 - thousands of files
        found += [f"{top}/{name}" for name in (*names, *linked)]
    return sorted(found)


def digest(path: Path | str) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as file:  # noqa: PTH123 - thousands of files
        return hashlib.file_digest(file, "sha256").hexdigest()


def loaded(home: Path) -> tuple[tuple[str, Stamp | None], ...]:
    """The files in a folder that can be started or loaded, with their stamps."""
    found = (path for path in files(home) if ".so" in path.rpartition("/")[2] or os.access(path, os.X_OK))
    return tuple((path, stamp(path)) for path in found)

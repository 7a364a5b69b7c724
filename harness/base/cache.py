"""The cache folder: every entry carries a digest, is written in one step, and is read only if nobody else can have written it.

A cache makes things quicker and nothing else. What is missing, damaged or not ours alone is made anew, and where nothing
can be written nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

T = TypeVar("T")
SETTLED = 3_000_000_000
"""Nanoseconds after which a write leaves another time of change, on any file system."""
MAGIC = b"abiprobe cache 1\n"
DIGEST_BYTES = hashlib.sha256().digest_size
LARGEST = 1 << 30
"""Bytes of the largest entry."""
UNFINISHED = ".new-"
"""How files begin that are being written."""
ABANDONED = 3600.0
"""Seconds after which nobody is writing such a file any more."""
OTHERS = stat.S_IWGRP | stat.S_IWOTH


def cache_dir() -> Path:
    """Return the path of the cache, whether it exists or not: `ABIPROBE_CACHE`, or the platform's folder."""
    return Path(os.environ.get("ABIPROBE_CACHE") or platformdirs.user_cache_dir("abiprobe"))


@cache
def obstacle(root: Path) -> str:
    """Return the reason why a cache folder, which is made if needed, cannot be used; empty if it can."""
    try:
        root.mkdir(0o700, parents=True, exist_ok=True)
        about = root.stat()
    except OSError as error:
        return f"the cache folder {root} cannot be used ({error.strerror})"
    if not stat.S_ISDIR(about.st_mode):
        return f"the cache folder {root} is no folder"
    if not is_own(about):
        return f"the cache folder {root} can be written by others"
    if not os.access(root, os.W_OK | os.X_OK):
        return f"the cache folder {root} cannot be written"
    return ""


def is_own(about: os.stat_result) -> bool:
    """Return whether a file or folder is ours and nobody else can write it."""
    return about.st_uid == os.geteuid() and not about.st_mode & OTHERS


def warn_once() -> None:
    """Say on standard error, once for a process, why nothing is kept."""
    _warn(obstacle(cache_dir()))


@cache
def _warn(words: str) -> None:
    if words:
        sys.stderr.write(f"{words}: nothing is kept. Set ABIPROBE_CACHE to a folder of your own\n")


def entry(*names: str) -> Path:
    """The file of the entry with these names."""
    return cache_dir().joinpath(*names)


def recall(path: Path) -> bytes | None:
    """Return the contents kept at `path`; `None` if they are missing, damaged, or may have been written by others."""
    try:
        root = path.parent.stat()
        # A pipe would be waited for, and a link leads where others may write.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor, which has no path
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
                return None
            data = file.read(LARGEST) if is_own(about) and is_own(root) else b""
    except OSError:
        return None
    head = len(MAGIC) + DIGEST_BYTES
    kept = data[head:]
    return kept if data[:head] == MAGIC + _digest(path, kept) else None


def remember(path: Path, data: bytes) -> bool:
    """Keep `data` at `path` in one step; whether that was possible."""
    if obstacle(cache_dir()):
        return False
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        replace(path, MAGIC + _digest(path, data) + data)
    except OSError:
        return False
    return True


def _digest(path: Path, data: bytes) -> bytes:
    # The name is part of it, so that one entry cannot stand for another.
    found = hashlib.sha256(f"{path.parent.name}/{path.name}\0".encode())
    found.update(data)
    return found.digest()


def replace(path: Path, data: bytes) -> None:
    """Write a file in one step. Raises `OSError`, and leaves nothing behind, if it cannot be written."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def kept(path: Path, decoder: msgspec.json.Decoder[T], make: Callable[[], T]) -> T:
    """The value kept at `path`, or else what `make` gives, which is kept."""
    known = recall(path)
    if known is not None:
        # Written by a version that meant something else by it.
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return decoder.decode(known)
    made = make()
    remember(path, msgspec.json.encode(made))
    return made


def abandoned(folder: Path) -> Iterator[Path]:
    """The files in a folder of the cache that somebody began to write and never finished."""
    with suppress(OSError):
        for path in folder.glob(f"{UNFINISHED}*"):
            with suppress(OSError):
                if time.time() - path.lstat().st_mtime > ABANDONED:
                    yield path


class Stamp(msgspec.Struct, frozen=True):
    """The file system's record of a file: any write changes one of these, as the time of change cannot be set."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


def stamp(path: str) -> Stamp | None:
    """The stamp of the file that a path leads to, through links; `None` when there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for dozens of files at each batch
    except OSError:
        return None
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def content_digest(path: str) -> str:
    """The SHA-256 of a file's contents, kept by its stamp. Raises `OSError` when it cannot be read."""
    mark = stamp(path)
    if mark is None:
        raise FileNotFoundError(path)
    known = entry("contents", hashlib.sha256(repr(mark).encode()).hexdigest()[:32])
    found = recall(known)
    if found is not None:
        return found.decode("ascii")
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    # A file that is being written may change again within the same tick of the clock.
    if mark == stamp(path) and time.time_ns() - mark.changed > SETTLED:
        remember(known, digest.encode())
    return digest

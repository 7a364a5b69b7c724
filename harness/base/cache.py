"""The cache folder, digests of files, and reading and writing cache files."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

from abiprobe.harness.base.problem import Problem

T = TypeVar("T")
SETTLED = 3_000_000_000
"""Nanoseconds after which a write leaves another time of change, on any file system."""


def cache_dir() -> Path:
    """The cache folder, `ABIPROBE_CACHE` or the platform's; raises `Problem` when it cannot be written."""
    path = Path(os.environ.get("ABIPROBE_CACHE") or platformdirs.user_cache_dir("abiprobe"))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            f"cannot write the cache folder {path} ({error.strerror})", "set ABIPROBE_CACHE"
        ) from error
    return path


class Stamp(msgspec.Struct, frozen=True):
    """What the file system says of a file: any write changes one of these, as the time of change cannot be set."""

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
    known = cache_dir() / "contents" / hashlib.sha256(repr(mark).encode()).hexdigest()[:32]
    with suppress(OSError):
        return known.read_text("ascii")
    with Path(path).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    # A file that is being written may change again within the same tick of the clock.
    if mark == stamp(path) and time.time_ns() - mark.changed > SETTLED:
        remember(known, found.encode())
    return found


def remember(path: Path, data: bytes) -> None:
    """Write a cache file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(name).replace(path)


def kept(path: Path, decoder: msgspec.json.Decoder[T], make: Callable[[], T]) -> T:
    """Return the content of a cache file; if it is missing or unreadable, compute and write it."""
    try:
        return decoder.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        made = make()
        remember(path, msgspec.json.encode(made))
        return made

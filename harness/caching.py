"""Where abiprobe keeps what it need not find out twice."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import platformdirs

from abiprobe.harness.problem import Problem

T = TypeVar("T")


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


def stat_digest(*programs: str) -> str:
    """A digest of program files by path, size and time, which an update changes."""
    parts: list[str] = []
    for program in programs:
        real = Path(program).resolve()
        stat = real.stat()
        parts += [str(real), str(stat.st_size), str(stat.st_mtime_ns)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def remember(path: Path, data: bytes) -> None:
    """Write a cache file in one step; whoever reads it sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(name).replace(path)


def kept(path: Path, decoder: msgspec.json.Decoder[T], make: Callable[[], T]) -> T:
    """What a cache file holds; where there is none that can be read, it is made and remembered."""
    try:
        return decoder.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        made = make()
        remember(path, msgspec.json.encode(made))
        return made

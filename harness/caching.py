"""Where abiprobe keeps what it need not find out twice."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import platformdirs

from abiprobe.harness.problem import Problem


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

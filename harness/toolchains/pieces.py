"""The files that have a say in what a compiler makes: its program, the programs it starts, the libraries it loads."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from abiprobe.harness import child
from abiprobe.harness.caching import stat_digest

STARTED = ("cc1", "as")
"""What gcc starts to compile one unit."""
SECONDS = 10.0
LIBRARY = re.compile(r"(?:=> |^\s*)(/\S+) \(0x", re.MULTILINE)


@cache
def digest(command: Sequence[str]) -> str:
    """A digest of all files behind a command by path, size and time; an update of any of them changes it."""
    programs = [word for word in command if word.startswith("/") and Path(word).is_file()]
    found = [piece for program in programs for piece in (program, *started(program))]
    return stat_digest(*found, *(library for program in found for library in libraries(program)))


def started(program: str) -> tuple[str, ...]:
    """The programs that a compiler says it starts, gcc its `cc1`."""
    found = []
    for name in STARTED:
        said = _said((program, f"-print-prog-name={name}"))
        path = shutil.which(said) if said else None
        if path is not None:
            found.append(path)
    return tuple(found)


def libraries(program: str) -> tuple[str, ...]:
    """The shared libraries that a program loads, none for a script."""
    ldd = shutil.which("ldd")
    return tuple(LIBRARY.findall(_said((ldd, program)))) if ldd else ()


def _said(argv: Sequence[str]) -> str:
    try:
        done = child.run(argv, timeout=SECONDS)
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.ok else ""

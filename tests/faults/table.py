"""Lines of the tables of faults under docs/data, and runs in processes that have nothing of another run's in memory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.table_file import Row

SEED = 7


class Line(msgspec.Struct):
    """A line of a table: a fault, how often it was injected, and how often what must hold has held."""

    fault: str
    injected: int = 0
    survived: int = 0

    def count(self, *, survived: bool) -> None:
        """Count one more."""
        self.injected += 1
        self.survived += survived

    @property
    def row(self) -> Row:
        """The line as a row of data."""
        return {
            "fault": self.fault,
            "injected": f"{self.injected:,}",
            "survived": f"{self.survived:,}",
            "lost": f"{self.injected - self.survived:,}",
        }


def begun(words: tuple[str, ...], folder: Path, said: Path, **environment: str) -> int:
    """The number of a process that is abiprobe with these words: forked from this one, which spares the start of Python.

    Nothing of abiprobe may have been used here. `folder` is its temporary one, `said` gets what it writes.
    """
    number = os.fork()
    if number:
        return number
    try:
        os.environ |= {"TMPDIR": str(folder), **environment}
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.argv = ["abiprobe", *words]
        from abiprobe.harness.cli.main import main

        main()
    except SystemExit as ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code if isinstance(ended.code, int) else 1)
    finally:
        os._exit(70)


def done(words: tuple[str, ...], folder: Path, said: Path, **environment: str) -> int:
    """The exit status of abiprobe with these words."""
    return os.waitstatus_to_exitcode(os.waitpid(begun(words, folder, said, **environment), 0)[1])


def digest(folder: Path) -> str:
    """The digest of a run, empty for one that is not finished."""
    with suppress(OSError, ValueError, IndexError):
        return str(
            json.loads((folder / "journal.jsonl").read_text("utf-8").splitlines()[-1]).get("digest", "")
        )
    return ""


Measured = Callable[[int, Path], Iterator[Any]]
"""The lines of a table, by how many times each fault is injected, and a folder for what that needs."""

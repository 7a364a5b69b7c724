"""The runs of a folder and their index, which is brought up to date by reading what is new, on all cores if it is much."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from abiprobe.harness.runs import triage_of
from abiprobe.harness.workers import pool_of
from abiprobe.results.history.index import Entry, opened, refresh
from abiprobe.results.journal import NAME, JournalError, read

INDEX = "index.sqlite"
MANY = 8
"""Runs that are worth starting processes for."""


def brought_up_to_date(store: Path) -> int:
    """Read into the index of a folder every run that is new or has changed; how many there were."""
    folders = sorted(path.parent for path in store.glob(f"*/{NAME}"))
    with opened(store / INDEX) as connection:
        return refresh(connection, folders, entries)


def entries(folders: Sequence[Path]) -> Iterable[Entry | None]:
    """What the index keeps of runs, in their order."""
    if len(folders) < MANY:
        yield from map(entry, folders)
        return
    with pool_of(len(os.sched_getaffinity(0))) as pool:
        yield from pool.map(entry, folders)


def entry(folder: Path) -> Entry | None:
    """What the index keeps of a run, `None` when its journal cannot be read."""
    try:
        run = read(folder)
    except JournalError:
        return None
    return Entry.of(run, triage_of(folder, run) or ())

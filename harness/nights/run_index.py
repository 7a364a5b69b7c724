"""Update the SQLite index over the runs of a folder from new and changed journals, in parallel if there are many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from abiprobe.harness.base.workers import Work, in_order, results
from abiprobe.harness.runs.run_files import clusters_kept, registers_of
from abiprobe.results.history.index import IndexedRun, opened, refresh
from abiprobe.results.journal.journal import NAME, JournalError, read

INDEX = "index.sqlite"
MANY = 8
"""Number of runs from which on they are read by worker processes."""


def update_index(store: Path) -> int:
    """Index every run of a folder that is new or has changed; returns how many were read."""
    folders = sorted(path.parent for path in store.glob(f"*/{NAME}"))
    with opened(store / INDEX) as connection:
        return refresh(connection, folders, entries)


def entries(folders: Sequence[Path]) -> Iterable[IndexedRun | None]:
    """Yield the index entries of runs in their order."""
    if len(folders) < MANY:
        yield from map(entry, folders)
        return
    yield from in_order(results(Work(entry, unreadable), folders, len(os.sched_getaffinity(0))))


def unreadable(_folder: Path) -> IndexedRun | None:
    """No entry, for a run on which workers die."""
    return None


def entry(folder: Path) -> IndexedRun | None:
    """Read the index entry of a run; `None` when its journal cannot be read."""
    try:
        run = read(folder, registers=registers_of)
    except JournalError:
        return None
    return IndexedRun.of(run, clusters_kept(folder, run))

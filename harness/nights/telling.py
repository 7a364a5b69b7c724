"""What reports need to know of a run: its causes with examples, maps and what is known, and the runs beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from abiprobe.harness.commands.report import declaration
from abiprobe.harness.nights.store import INDEX, brought_up_to_date
from abiprobe.results.cluster import Cluster
from abiprobe.results.history.index import history, nights, opened
from abiprobe.results.journal import Run
from abiprobe.results.known import Entry, Known, matching
from abiprobe.results.report.maps import Map
from abiprobe.results.report.page import Past
from abiprobe.results.report.standing import Story, Told, story, title

Draw = Callable[[Cluster], tuple[Map, ...]]
"""The drawings of a cause."""


def tell(run: Run, clusters: Sequence[Cluster], known: Known, draw: Draw) -> Story:
    """A run as reports tell it."""
    today = datetime.now(UTC).date()
    entries = [entry for entry in known.entries if not entry.is_void(today)]
    versions = {info.subject: info.version for info in run.header.subjects}
    return story(run, [told(item, matching(item, entries, versions), draw) for item in clusters])


def told(cluster: Cluster, entries: Sequence[Entry], draw: Draw) -> Told:
    """One cause."""
    known = "; ".join(f"{entry.status.value}, {entry.reason}" for entry in entries)
    link = next((entry.link for entry in entries if entry.link.startswith("http")), "")
    return Told(cluster, title(cluster), declaration(cluster.first.example), known, link, draw(cluster))


def undrawn(_: Cluster) -> tuple[Map, ...]:
    """No drawings: of what nobody looks at, or where no compiler is to be asked."""
    return ()


def past(folder: Path, clusters: Sequence[Cluster]) -> Past:
    """The runs in the folder that this one lies in, by their index, which is brought up to date."""
    store = folder.resolve().parent
    brought_up_to_date(store)
    with opened(store / INDEX) as connection:
        every = nights(connection)
        return Past(
            every,
            {cluster.id: history(connection, cluster.id) for cluster in clusters},
            counts(connection, [night.folder for night in every]),
            replaced(connection, [night.folder for night in every]),
        )


def counts(connection: sqlite3.Connection, folders: Sequence[str]) -> tuple[int, ...]:
    """The number of causes of each run."""
    found = dict(
        connection.execute(
            "select run.folder, count(distinct cluster.id) from run join cluster on cluster.run = run.id"
            " group by run.folder"
        )
    )
    return tuple(found.get(folder, 0) for folder in folders)


def replaced(connection: sqlite3.Connection, folders: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """For each run the compilers that are others than in the run before."""
    lines = connection.execute(
        "select run.folder, subject, version, compiler.digest from compiler join run on run.id = compiler.run"
    )
    by_run: dict[str, dict[str, tuple[str, str]]] = {}
    for folder, subject, version, digest in lines:
        by_run.setdefault(folder, {})[subject] = (version, digest)
    found: list[tuple[str, ...]] = []
    before: dict[str, tuple[str, str]] = {}
    for folder in folders:
        now = by_run.get(folder, {})
        changed = [
            f"{subject}: {version}"
            for subject, (version, digest) in sorted(now.items())
            if subject in before and before[subject][1] != digest
        ]
        found.append(tuple(changed))
        before |= now
    return tuple(found)

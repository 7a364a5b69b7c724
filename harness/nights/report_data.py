"""Collect the data of a report: causes with examples, maps and known deviations, and the runs before it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from abiprobe.harness.base.progress import counted
from abiprobe.harness.nights.run_index import INDEX, update_index
from abiprobe.harness.runs.run_files import has_causes
from abiprobe.harness.triage.cause_details import example_text
from abiprobe.harness.triage.group_reduction import UNREDUCED
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.priority import by_priority
from abiprobe.results.history.index import Night, history, nights, opened
from abiprobe.results.journal.journal import Header, JournalError, Run, read_header
from abiprobe.results.known.deviations import Known, KnownCause, example_of
from abiprobe.results.known.matches import KnownMatches
from abiprobe.results.report.changes_since import ChangesSince, changes_since, same_plan
from abiprobe.results.report.maps import Map
from abiprobe.results.report.page import Past
from abiprobe.results.report.run_report import ReportedCause, RunReport, run_report, title

Draw = Callable[[Cluster], tuple[Map, ...]]
"""Draws the byte maps of a cause."""


def build_report(
    run: Run, clusters: Sequence[Cluster], found: KnownMatches, known: Known, draw: Draw
) -> RunReport:
    """Build the report of a run; `found` are its deviations matched with the known ones."""
    today = datetime.now(UTC).date()
    entries = known.in_force(today)
    versions = run.versions_by_subject
    return run_report(
        run,
        [
            reported_cause(*found.known_of(item, entries, versions), draw)
            for item in counted(by_priority(clusters, run.newest), "causes", len(clusters))
        ],
        found,
    )


def reported_cause(cluster: Cluster, entries: Sequence[KnownCause], draw: Draw) -> ReportedCause:
    """Build the report entry of one cause."""
    known = "; ".join(f"{entry.name} ({entry.status.value}): {entry.reason}" for entry in entries)
    is_reduced = cluster.first.confirmed != UNREDUCED
    link = next((entry.link for entry in entries if entry.link.startswith("http")), "")
    return ReportedCause(
        cluster,
        title(cluster),
        (not is_reduced and example_of(entries)) or example_text(cluster),
        known,
        link,
        draw(cluster) if is_reduced or not entries else (),
        tuple(entries),
    )


def no_maps(_: Cluster) -> tuple[Map, ...]:
    """Draw no maps: for formats without maps, or when no compiler may be run."""
    return ()


def earlier_runs(folder: Path, head: Header, clusters: Sequence[Cluster]) -> Past:
    """Read the earlier runs beside `folder` from their index, after updating it."""
    store = folder.resolve().parent
    update_index(store)
    with opened(store / INDEX) as connection:
        every = nights(connection)
        folders = [night.folder for night in every]
        shown = causes_by_run(connection, folders)
        return Past(
            every,
            {cluster.id: history(connection, cluster.id, *cluster.former) for cluster in clusters},
            tuple(map(len, shown)),
            new_counts(shown),
            replaced_compilers(connection, folders),
            since_last(connection, every, head, clusters),
        )


def since_last(
    connection: sqlite3.Connection, every: Sequence[Night], head: Header, clusters: Sequence[Cluster]
) -> ChangesSince | None:
    """Compare with the last earlier triaged run of the same plan; `None` when there is none."""
    earlier: dict[str, str] = {}
    last: tuple[str, Header, dict[str, str]] | None = None
    for night in every:
        if night.started >= head.started:
            break
        if (before := triaged_header(Path(night.folder), head)) is not None:
            earlier |= dict.fromkeys(last[2], last[1].started) if last else {}
            last = (os.path.relpath(night.folder), before, causes_of(connection, night.folder))
    return None if last is None else changes_since(last, head, [cluster.id for cluster in clusters], earlier)


def triaged_header(folder: Path, like: Header) -> Header | None:
    """Return the header of a run with the same plan as `like` whose causes are stored, else `None`."""
    try:
        head = read_header(folder)
    except JournalError:
        return None
    return head if same_plan(head.plan, like.plan) and has_causes(folder) else None


def causes_of(connection: sqlite3.Connection, folder: str) -> dict[str, str]:
    """The causes of a run by id, in a few words each."""
    found = connection.execute(
        "select cluster.id, cluster.cause from cluster join run on run.id = cluster.run where run.folder = ?",
        (folder,),
    )
    return dict(found.fetchall())


def causes_by_run(connection: sqlite3.Connection, folders: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return the ids of the causes of each run."""
    lines = connection.execute("select run.folder, cluster.id from run join cluster on cluster.run = run.id")
    found: dict[str, set[str]] = {}
    for folder, name in lines:
        found.setdefault(folder, set()).add(name)
    return tuple(frozenset(found.get(folder, ())) for folder in folders)


def new_counts(shown: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """The number of causes of each run, oldest first, that no run before it shows; of the first run none is new."""
    before: set[str] = set(*shown[:1])
    found: list[int] = []
    for now in shown:
        found.append(len(now - before))
        before |= now
    return tuple(found)


def replaced_compilers(connection: sqlite3.Connection, folders: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return, for each run, the compilers whose build changed since the run before."""
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

"""An index over many runs, in SQLite: what their journals and triages say, for questions over time.

The journals are the truth. The index may be deleted at any time and is made again from them; a run whose journal or
triage has changed since is read anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from abiprobe.oracles.language.question import probe
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.counts import CountRow, rows
from abiprobe.results.history.figures import Figures, figures_of
from abiprobe.results.journal.journal import NAME, Footer, Header, Run

SCHEMA = 3
TABLES = """
create table run (id integer primary key, folder text unique, stamp text, started text, seed integer, digest text,
                  ended text, verdicts integer, seconds real, probes integer, cpu real);
create table compiler (run integer, target text, subject text, version text, digest text);
create table row (run integer, target text, subject text, level text, counts text);
create table cluster (run integer, id text, cause text, symptom text, target text, probes integer,
                      deviating text, agreeing text, example text);
create index compiler_run on compiler (run);
create index row_run on row (run);
create index cluster_run on cluster (run);
create index cluster_id on cluster (id);
"""


class Night(msgspec.Struct, frozen=True):
    """One run in the index, oldest first; `ended` is empty for an interrupted one.

    `probes` are those that show its causes, `cpu` are the CPU seconds of everything that it started, and its own.
    """

    folder: str
    started: str
    seed: int
    digest: str
    ended: str
    verdicts: int
    seconds: float
    probes: int = 0
    cpu: float = 0.0


class Point(msgspec.Struct, frozen=True):
    """A cluster in one run: how many probes showed it, and who deviated and who did not, by version line.

    `example` is the probe of the smallest question, which is what these versions were asked.
    """

    started: str
    target: str
    probes: int
    deviating: dict[str, str]
    agreeing: dict[str, str]
    example: str


class IndexedRun(msgspec.Struct, frozen=True):
    """A run in the index: `clusters` are those of its triage, or those found when it ended."""

    header: Header
    footer: Footer | None
    verdicts: int
    rows: tuple[CountRow, ...]
    clusters: tuple[Cluster, ...]
    figures: Figures = Figures()

    @classmethod
    def of(cls, run: Run, clusters: Sequence[Cluster]) -> IndexedRun:
        """The entry of a run."""
        verdicts = sum(len(batch.verdicts) for batch in run.batches)
        figures = figures_of(run.batches, clusters)
        return cls(run.header, run.footer, verdicts, rows(run.batches), tuple(clusters), figures)


Read = Callable[[Sequence[Path]], Iterable[IndexedRun | None]]
"""Reads runs; `None` stands for one that cannot be read."""


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The index at `path`, made anew when it is missing, damaged or of another schema."""
    connection = connected(path)
    try:
        yield connection
        connection.commit()
    finally:
        connection.close()


def connected(path: Path) -> sqlite3.Connection:
    """A connection to an index that can be used."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(path, timeout=60.0)
        if connection.execute("pragma user_version").fetchone()[0] == SCHEMA:
            return connection
        connection.close()
    except sqlite3.DatabaseError:
        pass
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, timeout=60.0)
    connection.executescript(f"{TABLES} pragma user_version = {SCHEMA};")
    return connection


def refresh(connection: sqlite3.Connection, folders: Sequence[Path], read: Read) -> int:
    """Bring the index up to date with the runs in `folders`; the number of runs that were read.

    A folder without a readable journal is left out.
    """
    known = dict(connection.execute("select folder, stamp from run"))
    there = {str(folder): stamp(folder) for folder in folders if (folder / NAME).exists()}
    for gone in set(known) - set(there):
        forget(connection, gone)
    fresh = [folder for folder, now in there.items() if known.get(folder) != now]
    for folder, entry in zip(fresh, read([Path(folder) for folder in fresh]), strict=True):
        forget(connection, folder)
        if entry is not None:
            add(connection, folder, there[folder], entry)
    return len(fresh)


def stamp(folder: Path) -> str:
    """Return a stamp that changes when a run or its triage does: sizes and times."""
    files = sorted(path for path in folder.iterdir() if path.suffix in {".jsonl", ".json"})
    return " ".join(f"{path.name}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in files)


def forget(connection: sqlite3.Connection, folder: str) -> None:
    """Remove a run."""
    for (number,) in connection.execute("select id from run where folder = ?", (folder,)).fetchall():
        for table in ("compiler", "row", "cluster"):
            connection.execute(f"delete from {table} where run = ?", (number,))  # noqa: S608 - names of our own
        connection.execute("delete from run where id = ?", (number,))


def add(connection: sqlite3.Connection, folder: str, now: str, entry: IndexedRun) -> None:
    """Enter a run."""
    head, footer = entry.header, entry.footer
    ended = ("", 0.0, "") if footer is None else (footer.ended, footer.seconds, footer.digest)
    cursor = connection.execute(
        "insert into run (folder, stamp, started, seed, digest, ended, verdicts, seconds, probes, cpu)"
        " values (?,?,?,?,?,?,?,?,?,?)",
        (
            *(folder, now, head.started, head.plan.seed, ended[2], ended[0], entry.verdicts, ended[1]),
            *(entry.figures.probes, entry.figures.cpu),
        ),
    )
    number = cursor.lastrowid
    connection.executemany(
        "insert into compiler values (?,?,?,?,?)",
        [(number, one.target, one.subject, one.version, one.digest) for one in head.subjects],
    )
    connection.executemany(
        "insert into row values (?,?,?,?,?)",
        [(number, one.target, one.subject, one.level, text(one.counts)) for one in entry.rows],
    )
    versions = {(one.target, one.subject): one.version for one in head.subjects}
    for cluster in entry.clusters:
        for target in cluster.targets:
            first = next(one for one in cluster.findings if one.fingerprint.target == target)
            deviating, agreeing = (
                {name: versions.get((target, name), "") for name in names}
                for names in (first.blame.deviating, first.blame.agreeing)
            )
            probes = len(
                {name for one in cluster.findings if one.fingerprint.target == target for name in one.probes}
            )
            connection.execute(
                "insert into cluster values (?,?,?,?,?,?,?,?,?)",
                (
                    *(number, cluster.id, described(cluster.traits), cluster.symptom.value, target, probes),
                    *(text(deviating), text(agreeing), probe(first.example).id),
                ),
            )


def text(value: object) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


def nights(connection: sqlite3.Connection) -> tuple[Night, ...]:
    """Every run, oldest first."""
    found = connection.execute(
        "select folder, started, seed, digest, ended, verdicts, seconds, probes, cpu from run order by started, folder"
    )
    return tuple(Night(*line) for line in found)


def history(connection: sqlite3.Connection, *names: str) -> tuple[Point, ...]:
    """A cluster, which has these identities, in every run that showed it, oldest first."""
    found = connection.execute(
        "select run.started, cluster.target, cluster.probes, cluster.deviating, cluster.agreeing,"
        " cluster.example from cluster"
        " join run on run.id = cluster.run where cluster.id in (select value from json_each(?))"
        " order by run.started, cluster.target",
        (text(names),),
    )
    return tuple(
        Point(started, target, probes, msgspec.json.decode(bad), msgspec.json.decode(good), example)
        for started, target, probes, bad, good, example in found
    )

"""The runs on this machine: which is meant, its journal, and the triage that is kept beside it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.harness.problem import Problem
from abiprobe.results.cluster import Cluster
from abiprobe.results.journal import NAME, SCHEMA, JournalError, Run, Writer, read, verdict_digest

RUNS = Path(".abiprobe", "runs")
TRIAGE = "triage.json"


class Triaged(msgspec.Struct, frozen=True):
    """The triage of a run, kept beside its journal: of the run with this digest."""

    schema: int
    digest: str
    clusters: tuple[Cluster, ...]


def every_run() -> list[Path]:
    """The folders of the runs that nobody gave another place, oldest first."""
    return sorted(path.parent for path in RUNS.glob(f"*/{NAME}")) if RUNS.is_dir() else []


def chosen_run(folder: Path | None) -> Path:
    """The run that was named, or the latest; raises `Problem` when there is none."""
    if folder is not None:
        return folder
    runs = every_run()
    if not runs:
        raise Problem("no run is named, and there is none in .abiprobe/runs", "name one with --run DIR")
    return runs[-1]


def read_run(folder: Path) -> Run:
    """A run, finished or not; raises `Problem` when there is none."""
    try:
        return read(folder)
    except JournalError as error:
        raise Problem(str(error)) from error


def write_run(folder: Path, run: Run) -> None:
    """Write a whole run; raises `Problem` when the folder has one, or cannot be written."""
    create_folder(folder)
    try:
        writer = Writer.create(folder, run.header)
    except FileExistsError as error:
        raise Problem(f"{folder} already has a run", "choose another --out") from error
    for line in (*run.asked, *run.batches, *(() if run.footer is None else (run.footer,))):
        writer.write(line)
    writer.close()


def create_folder(path: Path) -> None:
    """Make the folder of a run; raises `Problem` when it cannot be written."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise Problem(
            f"cannot write to {path} ({error.strerror})", "choose another folder with --out"
        ) from error


def read_triage(folder: Path) -> Triaged | None:
    """The triage kept with a run, `None` when there is none that this version can read."""
    try:
        return msgspec.json.decode((folder / TRIAGE).read_bytes(), type=Triaged)
    except (OSError, msgspec.DecodeError):
        return None


def triage_of(folder: Path, run: Run) -> tuple[Cluster, ...] | None:
    """The clusters of a run that was triaged, `None` for one that was not."""
    kept = read_triage(folder)
    if kept is None or (kept.schema, kept.digest) != (SCHEMA, verdict_digest(run.batches)):
        return None
    return kept.clusters

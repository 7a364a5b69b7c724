"""Find the folder of a run; read and write its journal and the triage stored beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.oracles.text.place import Files
from abiprobe.results.causes.cluster import IDENTITIES, Cluster
from abiprobe.results.causes.old_triages import in_todays_form, recluster
from abiprobe.results.causes.triage_progress import SCHEMA, FirstCauses
from abiprobe.results.journal.journal import (
    NAME,
    JournalError,
    Run,
    WriteError,
    Writer,
    read,
    read_complete,
)
from abiprobe.results.journal.journal import SCHEMA as JOURNAL
from abiprobe.results.journal.old_journals import RegistersOf
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.journal.stored_lines import HELD
from abiprobe.results.report.frames import FrameReport
from abiprobe.results.report.promise_matrix import Matrix

T = TypeVar("T")
MEGA = 1_000_000
RUNS = Path(".abiprobe", "runs")
TRIAGE = "triage.json"
FIRST = "first.json"
MATRIX = "promises.json"
FRAMES = "frames.json"


class Triaged(msgspec.Struct, frozen=True):
    """The triage of a run, stored beside its journal; `digest` is that of the run's verdicts.

    `identities` is the version of the rules that named the clusters. `unasked` lists the compilers that were not
    available for triage, so that their deviations were not reduced.
    """

    schema: int
    digest: str
    clusters: tuple[Cluster, ...]
    identities: int = 1
    unasked: tuple[str, ...] = ()


def every_run() -> list[Path]:
    """List the folders of the runs in `.abiprobe/runs`, oldest first."""
    return sorted(path.parent for path in RUNS.glob(f"*/{NAME}")) if RUNS.is_dir() else []


def chosen_run(folder: Path | None) -> Path:
    """Return `folder`, or the latest run where it is `None`; raises `Problem` when there is no run."""
    if folder is not None:
        return folder
    runs = every_run()
    if not runs:
        raise Problem("no run is named, and there is none in .abiprobe/runs", "name one with --run DIR")
    return runs[-1]


def named_run(folder: Path | None) -> Path:
    """Return the run given to a command, or the latest, named on standard error; raises `Problem` without one."""
    if folder is None:
        runs = every_run()
        if not runs:
            raise Problem("no run is named, and there is none in .abiprobe/runs", "start one: abiprobe run")
        sys.stderr.write(f"the latest run: {runs[-1]}\n")
        return runs[-1]
    if (folder / NAME).exists() or folder.is_file():
        return folder
    inside = [path.parent for path in (*folder.glob(f"*/{NAME}"), *folder.glob(f"{RUNS}/*/{NAME}"))]
    if inside:
        latest = max(inside, key=lambda path: path.name)
        raise Problem(f"{folder} is not a run", f"it has {len(inside)}, the latest of which is {latest}")
    return folder


def read_run(folder: Path, most: int = HELD) -> Run:
    """Read a finished run; raises `Problem` when its journal cannot be read, or when it was interrupted.

    Whatever says something about a run as a whole reads it like this. The batches of one that has more than `most` bytes
    stay in the file.
    """
    return _readable(folder, partial(read_complete, most=most))


def read_begun_run(folder: Path) -> Run:
    """Read a run, finished or not, to finish it or for single answers; raises `Problem` when its journal cannot be read."""
    return _readable(folder, read)


class Reader(Protocol):
    """A function that reads a journal, and tells how many bytes each line has."""

    def __call__(self, folder: Path, *, advance: Callable[[int], None], registers: RegistersOf) -> Run:
        """Read the journal in a folder."""


def _readable(folder: Path, reader: Reader) -> Run:
    path = folder / NAME if folder.is_dir() else folder
    try:
        size = path.stat().st_size if path.is_file() else 0
        with steps(f"MB read of {folder}", size / MEGA) as step:
            run = reader(folder, advance=lambda part: step(amount=part / MEGA), registers=registers_of)
        return of_known_targets(run)
    except JournalError as error:
        raise Problem(str(error)) from error


def registers_of(target: str) -> Files:
    """The files of a target's registers; none for a target that is not known."""
    # Journals of today have them.
    from abiprobe.harness.machines.register_files import files_of
    from abiprobe.oracles.registry import UnknownTargetError, find_target

    try:
        return files_of(find_target(target))
    except UnknownTargetError:
        return {}


def of_known_targets(run: Run) -> Run:
    """A run, if all its targets are known; raises `JournalError` for any other."""
    # Comparing two runs loads no model, but for looking at what they are of.
    from abiprobe.oracles.registry import UnknownTargetError, find_target

    for name in run.header.plan.targets:
        try:
            find_target(name)
        except UnknownTargetError as error:
            raise JournalError(f"the run is of {name!r}, which is no target of this abiprobe") from error
    return run


def write_run(folder: Path, run: Run) -> None:
    """Write a whole run; raises `Problem` when the folder has one, or cannot be written."""
    create_folder(folder)
    try:
        writer = Writer.create(folder, msgspec.structs.replace(run.header, schema=JOURNAL))
    except FileExistsError as error:
        raise Problem(f"{folder} already has a run", "choose another --out") from error
    except WriteError as error:
        raise Problem(str(error), "choose another --out, or make room there") from error
    try:
        for line in (*run.asked, *run.batches, *(() if run.footer is None else (run.footer,))):
            writer.write(line)
    except WriteError as error:
        raise Problem(str(error), "make room there, or choose another --out") from error
    finally:
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
    """Read the triage stored with a run; `None` when there is none that this version can read.

    Clusters that an earlier version named are clustered again under today's rules, without running any compiler.
    """
    try:
        kept = msgspec.json.decode(in_todays_form((folder / TRIAGE).read_bytes()), type=Triaged)
        if kept.identities != IDENTITIES:
            clusters = recluster(kept.clusters, read(folder, registers=registers_of).batches)
            kept = msgspec.structs.replace(kept, clusters=clusters, identities=IDENTITIES)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, JournalError):
        return None
    return kept


def current_triage(folder: Path, run: Run) -> Triaged | None:
    """Read the triage stored with a run; `None` if it is missing or belongs to an earlier state of the run."""
    kept = read_triage(folder)
    if kept is None or (kept.schema, kept.digest) != (SCHEMA, run.digest):
        return None
    return kept


def triage_of(folder: Path, run: Run) -> tuple[Cluster, ...] | None:
    """Return the clusters of a triaged run, `None` for a run that was not triaged."""
    kept = current_triage(folder, run)
    return None if kept is None else kept.clusters


def clusters_kept(folder: Path, run: Run) -> tuple[Cluster, ...]:
    """Return the clusters of a run's triage or, if it was not triaged, those found when the run ended."""
    triaged = triage_of(folder, run)
    if triaged is not None:
        return triaged
    first = read_first_causes(folder, run.digest)
    return (*first.clusters, *first.known)


def has_causes(folder: Path) -> bool:
    """Return whether the causes of a run are stored beside its journal."""
    return any((folder / name).is_file() for name in (TRIAGE, FIRST))


def read_triaged_run(folder: Path) -> tuple[Run, tuple[Cluster, ...]]:
    """A run and its clusters; raises `Problem` when it was not triaged."""
    run = read_run(folder)
    clusters = triage_of(folder, run)
    if clusters is None:
        raise Problem(f"the run at {folder} was not triaged", f"first: abiprobe triage {shell_word(folder)}")
    return run, clusters


def keep_triage(folder: Path, run: Run, clusters: tuple[Cluster, ...], unasked: tuple[str, ...] = ()) -> None:
    """Store the clusters of a run beside its journal, if the journal is in a folder."""
    if folder.is_dir():
        kept = Triaged(SCHEMA, run.digest, clusters, IDENTITIES, unasked)
        _keep(folder / TRIAGE, msgspec.json.encode(kept))


def keep_matrix(folder: Path, matrix: Matrix) -> None:
    """Store a matrix of promises in the folder that has its runs."""
    _keep(folder / MATRIX, msgspec.json.encode(matrix))


def read_matrix(folder: Path) -> Matrix | None:
    """Return the matrix of promises in a folder, if it has one that can be read."""
    return decoded(folder / MATRIX, Matrix)


def read_frames(folder: Path) -> FrameReport | None:
    """Return the findings of a test of frames in a folder, if it has some that can be read."""
    return decoded(folder / FRAMES, FrameReport)


def decoded(path: Path, kind: type[T]) -> T | None:
    """Return what a file has in JSON, if it can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def read_first_causes(folder: Path, digest: str) -> FirstCauses:
    """Read the first causes stored with a run; empty if unreadable or stored for other verdicts."""
    try:
        found = msgspec.json.decode(in_todays_form((folder / FIRST).read_bytes()), type=FirstCauses)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return FirstCauses()
    return found if (found.schema, found.digest) == (SCHEMA, digest) else FirstCauses()


def _keep(path: Path, data: bytes) -> None:
    """Write a file beside the journal; where that is impossible say so, since what is in it can be found out again."""
    try:
        replace(path, data)
    except OSError as error:
        sys.stderr.write(f"{path} cannot be written ({error.strerror})\n")


def keep_first_causes(folder: Path, first: FirstCauses) -> None:
    """Store the first causes beside the journal."""
    _keep(folder / FIRST, msgspec.json.encode(first))

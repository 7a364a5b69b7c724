"""`abiprobe accept`: entries for the known deviations, ready to paste."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from abiprobe.harness.api.arguments import workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.cli.commands.triage import print_missing
from abiprobe.harness.runs.availability import availability_of
from abiprobe.harness.runs.run_files import read_run
from abiprobe.harness.triage.complete import triage_run
from abiprobe.harness.triage.known_causes import KnownComparison
from abiprobe.harness.triage.proposals import add_entries, as_json, proposals, toml
from abiprobe.results.known.deviations import Entry, Known


def accept(folder: Path, form: str, jobs: object, known: Known, write: Path | None) -> int:
    """Print entries for the new causes of a run; append them to a file when told to. Edits nothing else."""
    run = read_run(folder)
    near = availability_of(run)
    print_missing(near)
    memory = triage_run(folder, run, known, workers(jobs), near)
    found = [entry for item in memory.new for entry in proposals(item, run)]
    written = add(found, write) if write is not None and found else 0
    if form == "json":
        gone = [entry.name for entry in memory.gone]
        print_json({"schema": 1, "entries": [as_json(entry) for entry in found], "gone": gone})
    elif write is None:
        answers().print(toml(found), markup=False, soft_wrap=True, end="")
    asides().print(summary(memory, len(found), written, write), soft_wrap=True, markup=False)
    return 0


def add(found: Sequence[Entry], path: Path) -> int:
    """Add entries to a file that a user edits; the answer is how many were not there.

    Raises `Problem` when the file is no TOML or cannot be written.
    """
    try:
        document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
        written = add_entries(document, found)
        path.write_text(tomlkit.dumps(document), "utf-8")
    except OSError as error:
        raise Problem(f"cannot write {path} ({error.strerror})") from error
    except (TOMLKitError, ValueError) as error:
        raise Problem(f"{path}: {error}", "known deviations are [[deviation]] tables of TOML") from error
    return written


def summary(memory: KnownComparison, entries: int, written: int, write: Path | None) -> str:
    """Describe the proposed entries, and what a person has to complete."""
    there = f", {entries - written} of them already there, {written}" if written < entries else ""
    where = f"{there} written to {write}" if write and entries else ""
    todo = "; fill in reason and link" if entries else ""
    gone = "".join(f"; no longer occurs: {entry.name}" for entry in memory.gone)
    return f"{len(memory.new)} new causes, {entries} entries{where}{todo}{gone}"

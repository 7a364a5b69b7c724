"""The tables of the page on sensitivity, each measured anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.table_file import Row, Table, put, text_of
from abiprobe.harness.cli.commands.console import answers, asides
from abiprobe.harness.runs import tours
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.journal.journal import JournalError, read_complete
from laboratory.families import FAMILIES
from laboratory.flags import FLAGS, kill
from laboratory.heartbeat import Heartbeat
from laboratory.model_rows import score_rows, unnoticed_rows
from laboratory.release_rows import release_rows
from laboratory.rows import flag_rows, tour_rows
from laboratory.scoring import score

LEVEL = "O0"
REMARK = "Made by `tox -e laboratory -- {} --out docs/data`."


class Section(NamedTuple):
    """What is measured of a file: what makes it, and the rows, in the place of those with the values `at`."""

    file: str
    made_by: str
    rows: tuple[Row, ...]
    at: Row | None = None


def measure(
    names: tuple[str, ...], out: Path | None, cases: int, seed: int, subjects: Mapping[str, str]
) -> None:
    """Measure the sections of these names, all without any, and print them or put them into the files of a folder."""
    sections: dict[str, Callable[[Heartbeat], Iterable[Section]]] = {
        "tours": lambda _: tour_section(),
        **{name: model_section(name, cases, seed) for name in FAMILIES},
        "flags": lambda pulse: flag_section(subjects, seed, pulse),
    }
    unknown = [name for name in names if name not in sections]
    if unknown:
        raise Problem(f"there is no section {unknown[0]!r}", f"sections: {', '.join(sections)}")
    for name in names or tuple(sections):
        asides().print(f"measuring {name}")
        with Heartbeat(name).beating() as pulse:
            show(sections[name](pulse), out)


def show(parts: Iterable[Section], out: Path | None) -> None:
    """Print tables, or put them into their files."""
    for file, made_by, rows, at in parts:
        remark = REMARK.format(made_by)
        if out is not None:
            put(out / file, remark, rows, at)
        elif rows:
            text = text_of(Table(remark, tuple(rows[0]), rows))
            answers().print(text, markup=False, highlight=False, soft_wrap=True)


def releases(folders: tuple[Path, ...], out: Path | None) -> None:
    """Tabulate which clauses each subject of finished runs breaks; raises `Problem` for an unfinished run."""
    try:
        rows = tuple(release_rows([read_complete(folder) for folder in folders]))
    except JournalError as error:
        raise Problem(str(error)) from error
    show([Section("releases.tsv", "--run RUN", rows)], out)


def tour_section() -> list[Section]:
    """The tours of every target with calls."""
    found = [(name, tours.parts(target)) for name, target in TARGETS.items() if tours.parts(target)]
    return [Section("tours.tsv", "tours", tuple(tour_rows(found)))]


def model_section(name: str, cases: int, seed: int) -> Callable[[Heartbeat], list[Section]]:
    """The trials of one family of models."""

    def section(pulse: Heartbeat) -> list[Section]:
        started = time.monotonic()
        measured = score(name, cases, seed, len(os.sched_getaffinity(0)), pulse.watch)
        counted = tuple(score_rows(name, measured, time.monotonic() - started))
        unnoticed = tuple(unnoticed_rows(name, measured.tried))
        at = {"family": name}
        return [
            Section("wrong-models.tsv", "FAMILY", counted, at),
            Section("wrong-models-not-noticed.tsv", "FAMILY", unnoticed, at),
        ]

    return section


def flag_section(subjects: Mapping[str, str], seed: int, pulse: Heartbeat) -> list[Section]:
    """Every flag on trial with the subject of its family."""
    tried = [flag for flag in FLAGS if flag.family in subjects]
    found = (kill(flag, subjects[flag.family], LEVEL, seed) for flag in pulse.watch(tried, len(tried)))
    return [Section("flags.tsv", "flags", tuple(flag_rows([one for one in found if one is not None])))]

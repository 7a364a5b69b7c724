"""The reports on unwind tables, debug information and debuggers, as far as they are alike: text, JSON, files, exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from rich.table import Table

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import print_json, print_lines, print_table
from abiprobe.harness.cli.commands.repro import write
from abiprobe.harness.runs.run_files import FRAMES
from abiprobe.harness.unwind.sorting import Result
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.report.frames import FrameReport

WRONG, NOT_ALL_COMPARED, BROKEN = 1, 3, 4
C = TypeVar("C")
UNREDUCED = "; not fully reduced (--reduce gives more time)"


class Figures(Protocol):
    """The figures of a subject, as far as the exit status goes by them."""

    crashed: bool

    @property
    def is_whole(self) -> bool:
        """Return whether everything that there is was compared."""


R = TypeVar("R", bound=Figures)


@dataclass(frozen=True)
class Form(Generic[R, C]):
    """The parts in which one report differs from another: what it is `about`, and the `headings` of its table.

    `cells` and `remarks` are those of the figures of a subject, `lines` those of a cause. `row` and `cause` are the same as
    JSON values; `bundle` gives the target of a cause and the files that show it.
    """

    about: str
    headings: tuple[str, ...]
    cells: Callable[[R], Iterable[Iterable[str]]]
    remarks: Callable[[R], Iterable[str]]
    lines: Callable[[C], Iterable[str]]
    row: Callable[[R], object]
    cause: Callable[[C], dict[str, Any]]
    bundle: Callable[[C], tuple[str, dict[str, str]]]


class Found(msgspec.Struct, Generic[R, C], frozen=True):
    """Everything that one call of a command found: the figures of each subject, and causes; `cases` functions were drawn."""

    seed: int
    cases: int
    rows: tuple[R, ...]
    result: Result[C]
    seconds: float

    def finish(self, form: Form[R, C], out: Path | None, chosen: str, *, strict: bool) -> int:
        """Print everything in the `chosen` form, and write it with the files of each cause into a folder, if one is asked for.

        Returns the exit status of the command; known bugs count with `strict` only.
        """
        report = self.report(form)
        if out is not None:
            (out / FRAMES).write_bytes(msgspec.json.encode(report))
            for number, (target, files) in enumerate(map(form.bundle, self.result.causes), 1):
                write(out / f"{number:02}-{target}", files)
        if chosen == "json":
            print_json(self.as_json(form))
        else:
            show(report)
        return exit_status(self.rows, self.result, strict=strict)

    def as_json(self, form: Form[R, C]) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "schema": 2,
            "seed": self.seed,
            "cases": self.cases,
            "seconds": round(self.seconds, 3),
            "subjects": [form.row(one) for one in self.rows],
            "causes": [form.cause(one) for one in self.result.causes],
            **of_known(self.result),
        }

    def report(self, form: Form[R, C]) -> FrameReport:
        """Everything as text: of each subject rows of a table and remarks, and the lines of each cause."""
        return FrameReport(
            form.about,
            form.headings,
            tuple(tuple(one) for row in self.rows for one in form.cells(row)),
            tuple(line for row in self.rows for line in form.remarks(row)),
            tuple(tuple(form.lines(one)) for one in self.result.causes),
            tuple(known_lines(self.result)),
            self.result.gone,
            f"seed {self.seed}: {self.cases} functions, {self.seconds:.0f} s",
        )


def show(report: FrameReport) -> None:
    """Print a report."""
    table = Table(box=None, pad_edge=False)
    for heading, number in zip(report.headings, report.numbers, strict=True):
        table.add_column(heading, justify="right" if number else "left")
    for row in report.rows:
        table.add_row(*row)
    print_table(table)
    print_lines(lines(report))


def lines(report: FrameReport) -> Iterator[str]:
    """The lines behind the figures: remarks, each cause, known bugs, and what was drawn."""
    yield from report.remarks
    for about in report.causes:
        yield ""
        yield from about
    if report.known:
        yield from ("", "known bugs (functions):")
        yield from report.known
    yield from (f"known, but no longer occurs: {name}" for name in report.gone)
    yield from ("", report.drawn)


def expect_empty(out: Path | None) -> None:
    """Make a folder, if one is asked for; raises `Problem` if there is something in it, or it cannot be made."""
    if out is None:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise Problem(f"{out} is not empty", "choose another folder with --out")
    except OSError as error:
        raise Problem(f"cannot write {out} ({error.strerror})", "choose another folder with --out") from error


def clause_lines(clauses: Iterable[str]) -> Iterator[str]:
    """Each clause once, with where it stands and what it says."""
    for clause in dict.fromkeys(clauses):
        yield f"  {clause} ({find_clause(clause).section}): {find_clause(clause).says}"


def exit_status(rows: Sequence[Figures], result: Result[C], *, strict: bool) -> int:
    """Return the exit status of a command with this result and these figures; known bugs count with `strict` only."""
    if result.causes or result.gone or (strict and result.known):
        return WRONG
    if any(row.crashed for row in rows):
        return BROKEN
    return 0 if rows and all(row.is_whole for row in rows) else NOT_ALL_COMPARED


def known_lines(result: Result[C]) -> Iterator[str]:
    """The known bugs that were met, with the functions that they explain."""
    for entry, counts in result.known:
        where = ", ".join(f"{subject} {target}" for target, subject in counts)
        yield f"{counts.total():7d}  {entry.name} ({entry.status.value}; {where})  {entry.link}"


def of_known(result: Result[C]) -> dict[str, Any]:
    """The same as values."""
    known = [
        {
            "name": entry.name,
            "status": entry.status.value,
            "link": entry.link,
            "functions": [
                {"target": target, "subject": subject, "functions": number}
                for (target, subject), number in counts.items()
            ],
        }
        for entry, counts in result.known
    ]
    return {"known": known, "gone": result.gone}

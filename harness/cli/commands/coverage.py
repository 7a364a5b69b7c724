"""`abiprobe coverage`: which clauses a run put to the test, and what it never asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs import complete
from abiprobe.harness.runs.question_coverage import EdgeCoverage, edge_coverage, tour_coverage
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.runs.run_files import read_run
from abiprobe.oracles.language.lang import spelling
from abiprobe.oracles.text.clause import Sheet, sheets
from abiprobe.results.coverage.clauses import SheetCoverage, Status, coverage
from abiprobe.results.coverage.complete import conformance
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.complete_text import short_lines, size_lines
from abiprobe.results.verdicts.quantity import quantity

SHARED = ("gnu",)
"""The sheets that every target follows."""


def command(folder: Path, form: str) -> int:
    """Print the coverage of the finished run in `folder`."""
    found = read_run(folder)
    lines = coverage(found.batches, concerned(found))
    crossings, targets = list(tour_coverage(found)), list(edge_coverage(found))
    suites = conformance(found)
    if form == "json":
        told = {"complete": suites} if suites else {}
        print_json({"schema": 1, "sheets": lines, "tours": crossings, "aimed": targets, **told})
    else:
        console = answers()
        console.print(table(lines))
        for sheet in lines:
            print_rest(console, sheet)
        for row in crossings:
            console.print(
                f"{row.target} {row.subject} -{row.level}: {row.observed} of {row.signatures} signatures of its tour,"
                f" {row.crossed} of {row.transitions} transitions"
                f"{f', {row.lacks} more need types that it lacks' if row.lacks else ''}",
                soft_wrap=True,
            )
        for line in (*short_lines(suites), *size_lines(suites), *class_lines(found)):
            console.print(line, soft_wrap=True, markup=False, highlight=False)
        for target in targets:
            print_aimed(console, target)
    return 0


def class_lines(run: Run) -> Iterator[str]:
    """Yield for each class of a complete suite the number of types that it stands for, and the sizes of records."""
    plan = run.header.plan
    for target in targets_of(plan):
        for mode in complete.modes(target, plan.complete) if plan.complete is not None else ():
            counts = ", ".join(
                f"{len(one.types)} like {'no result' if one.types[0] is None else spelling(one.types[0])}"
                for one in mode.letters
            )
            yield f"{target} {mode.name}{mode.file and ', '}{mode.file}: types of each class of results, then of arguments: {counts}"
        for one in (
            complete.record_scope(target, plan.complete_records).classes if plan.complete_records else ()
        ):
            example = " ".join(declaration(one.example).split())
            yield (
                f"{target}: {quantity(one.structs, 'struct')} and {quantity(one.unions, 'union')} of {one.least} to {one.most} bytes"
                f" are passed like {example}"
            )


def concerned(run: Run) -> tuple[Sheet, ...]:
    """The sheets of a run's targets, and those that all share."""
    names = [target.sheet for target in targets_of(run.header.plan)]
    sheets_met = {clause.partition(":")[0] for batch in run.batches for clause, _ in batch.compared}
    return tuple(
        sheet
        for sheet in sheets()
        if sheet.name in SHARED
        or sheet.name in sheets_met
        or any(sheet.name.startswith(name) for name in names)
    )


def table(lines: tuple[SheetCoverage, ...]) -> Table:
    """Return a table of the number of clauses of each sheet by their coverage."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("sheet", "clauses", *(status.value for status in Status)):
        shown.add_column(title, justify="left" if title == "sheet" else "right")
    for sheet in lines:
        shown.add_row(sheet.sheet, str(len(sheet.lines)), *(str(sheet.count(status)) for status in Status))
    return shown


def print_rest(console: Console, sheet: SheetCoverage) -> None:
    """Print the clauses that decided nothing, those that this run did not ask for first, with the subjects concerned."""
    rest = [line for line in sheet.lines if line.status != Status.DECIDED.value]
    rest.sort(key=lambda line: line.status != Status.MISSED.value)
    for number, line in enumerate(rest):
        if not number:
            console.print()
        console.print(
            f"{line.clause}: {line.status}: {line.why}", soft_wrap=True, markup=False, highlight=False
        )


def print_aimed(console: Console, row: EdgeCoverage) -> None:
    """Print the coverage of a target's edges and of pairs of features, and the clauses of which a side was not compared."""
    console.print(
        f"{row.target}: both sides of {row.both_sides} of {row.edges} clauses' edges, {row.met} of {row.pairs} pairs of features"
        f" ({row.impossible} more are not valid C)",
        soft_wrap=True,
    )
    for title, clauses in (
        ("one side only", row.one_sided),
        ("neither side", row.unasked),
        ("no other side among a question's neighbours", row.without),
    ):
        if clauses:
            console.print(f"  {title}: {', '.join(clauses)}", soft_wrap=True, markup=False, highlight=False)

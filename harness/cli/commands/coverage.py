"""`abiprobe coverage`: which clauses a run put to the test, and what it never asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rich.console import Console
from rich.table import Table

from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs import complete
from abiprobe.harness.runs.question_coverage import EdgeCoverage, edge_coverage, tour_coverage
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.runs.run_files import read_run
from abiprobe.oracles.language.lang import Record, Type, Vector, spelling
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.clause import Sheet, sheets
from abiprobe.oracles.unmodelled.opened import with_text
from abiprobe.results.coverage.clauses import SheetCoverage, Status, coverage
from abiprobe.results.coverage.complete import conformance
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.complete_text import short_lines, size_lines
from abiprobe.results.verdicts.quantity import quantity

SHARED = ("gnu",)
"""The sheets that every target follows."""

SHAPES: Mapping[type, str] = MappingProxyType({Record: "record", Vector: "vector"})
"""Names of types that are no scalars."""


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
    """Yield for each class of a complete suite the number of types that it stands for, with their shapes and sizes."""
    plan = run.header.plan
    for target in targets_of(plan):
        for mode in complete.modes(target, plan.complete) if plan.complete is not None else ():
            counts = "; ".join(like(target, one.types) for one in mode.letters)
            yield f"{target} {mode.name}{mode.file and ', '}{mode.file}: types of each class of results, then of arguments: {counts}"
        for one in (
            complete.record_scope(target, plan.complete_records).classes if plan.complete_records else ()
        ):
            example = " ".join(declaration(one.example).split())
            yield (
                f"{target}: {quantity(one.structs, 'struct')} and {quantity(one.unions, 'union')} of {one.least} to {one.most} bytes"
                f" are passed like {example}"
            )


def like(target: Target, types: Sequence[Type | None]) -> str:
    """Return the number of types in a class, the simplest of them, and of each shape how many there are, with sizes in bytes."""
    simplest = types[0]
    if simplest is None:
        return "no result"
    table, sizes = with_text(target).model().types, dict[str, list[int]]()
    for one in types:
        if one is None:
            continue
        shape = next((name for kind, name in SHAPES.items() if isinstance(one, kind)), "scalar")
        sizes.setdefault(shape, []).append(table.extent(one).size)
    shapes = ", ".join(f"{quantity(len(some), shape)} of {span(some)}" for shape, some in sizes.items())
    return f"{len(types)} like {spelling(simplest)} ({shapes})"


def span(sizes: Sequence[int]) -> str:
    """Return the smallest and the largest of some sizes in words."""
    least, most = min(sizes), max(sizes)
    return quantity(most, "byte") if least == most else f"{least} to {quantity(most, 'byte')}"


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

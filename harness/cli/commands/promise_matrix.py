"""`abiprobe promise --matrix`: the promises that a compiler family makes about itself, all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from rich.table import Table

from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.cli.commands.console import print_json, print_lines, print_table
from abiprobe.harness.cli.commands.promise import Asked, run_asked
from abiprobe.harness.cli.commands.run import INTERRUPTED
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs.run_files import keep_matrix, keep_triage
from abiprobe.harness.subjects.promises import MATRICES, Kind, matrix, releases
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.triage.promise_causes import counter_examples
from abiprobe.results.causes.promises import CounterExamples
from abiprobe.results.coverage.promises import Answered, Promise, Tested, answered, breaks, tested
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.promise_junit import promises_junit
from abiprobe.results.report.promise_matrix import Matrix, MatrixRow, columns, matrix_json, page, row_cells
from abiprobe.results.report.promise_page import matrix_page
from abiprobe.results.report.promise_text import base, cause_lines

BASE_LEVEL = "O0"


def promise_matrix(
    family: str, targets: Sequence[str], levels: str, form: str, options: Mapping[str, object]
) -> int:
    """Put all promises of a family to the test and print what became of them; 1 if one is broken, 3 if one was not tested."""
    asked = Asked.of(targets, levels, options)
    every = matrix(family, asked.targets)
    own = tuple(releases(name, asked.targets) for name in MATRICES[family])
    rows: list[MatrixRow] = []
    runs: list[Run] = []
    for leveled in (False, True):
        some = tuple(one for one in every if bool(one[1].level) is leveled)
        if not some:
            continue
        these = tuple(dict.fromkeys(one for _, said in some for one in (said.subject, said.other)))
        at = (
            tuple(dict.fromkeys((BASE_LEVEL, *(said.level for _, said in some)))) if leveled else asked.levels
        )
        part = replace(asked, levels=at, folder=asked.folder / ("levels" if leveled else "releases"))

        def report(run: Run, part: Asked = part, some: Sequence[tuple[Kind, Promise]] = some) -> int:
            mine = rows_of(run, part, some, own)
            causes = {one.cause.id: one.cause for row in mine for one in row.found.examples}
            keep_triage(part.folder, run, tuple(causes.values()))
            rows.extend(mine)
            runs.append(run)
            return 0

        status = run_asked(part, these, report, named=bool(targets))
        if status == INTERRUPTED:
            return status
    found = Matrix(
        family,
        tuple(rows),
        asked.cases,
        tuple(dict.fromkeys(run.header.plan.seed for run in runs)),
        asked.levels,
        {one.subject: one.version for run in runs for one in run.header.subjects},
        round(cpu_seconds(), 1),
    )
    keep_matrix(asked.folder, found)
    print_matrix(found, form)
    return 1 if found.broken else 0 if found.complete else NOTHING_COMPARED


def rows_of(
    run: Run, asked: Asked, some: Sequence[tuple[Kind, Promise]], own: Sequence[Sequence[Subject]]
) -> list[MatrixRow]:
    """Return the row of each promise that a run put to the test; counter-examples of those that are broken are looked for together."""
    answers = answered(run.batches)
    found = [(kind, tested(said, answers, asked.levels)) for kind, said in some]
    broken = [one for _, one in found if one.broken]
    shown = counter_examples(
        [(one, one.promise.configurations(asked.levels)) for one in broken],
        run.batches,
        asked.jobs,
        asked.reducing,
    )
    examples = dict(zip((one.promise for one in broken), shown, strict=True))
    return [
        MatrixRow(
            kind.value,
            one,
            examples.get(one.promise, CounterExamples()),
            since(answers, asked, one, own),
        )
        for kind, one in found
    ]


def since(run: Answered, asked: Asked, found: Tested, own: Sequence[Sequence[Subject]]) -> str:
    """The first release behind the one that a promise names which differs from it on a question on which the promise is broken.

    Empty where the promise is about no release, or none of them does.
    """
    for every in own:
        names = [one.spelling for one in every]
        if found.broken and found.promise.other in names:
            other = found.promise.other
            for later in names[names.index(other) + 1 :]:
                if breaks(Promise(later, other), run, asked.levels, found):
                    return later
    return ""


def print_matrix(found: Matrix, form: str) -> None:
    """Print a matrix as a table with a counter-example of each broken promise, as a page, or as values."""
    match form:
        case "json":
            print_json(matrix_json(found, declaration))
        case "markdown":
            print_lines(page(found, declaration))
        case "html":
            print_lines(matrix_page(found, declaration).splitlines())
        case "junit":
            told = [(row.tested, row.found.examples) for row in found.rows]
            print_lines((promises_junit(told, declaration),))
        case _:
            print_tables(found)


def print_tables(found: Matrix) -> None:
    """Print a counter-example of each broken promise, and the matrix as a table."""
    heads = columns(found.rows)
    for row in found.rows:
        for number, one in enumerate(row.found.examples[:1], 1):
            print_lines((f"{row.name}:", *cause_lines(number, one, declaration), ""))
    table = Table(
        "promise", *(f"{base(target)} {part}" for target, part in heads), "since", box=None, pad_edge=False
    )
    for row in found.rows:
        table.add_row(row.name, *row_cells(row, heads), row.since)
    print_table(table)
    print_lines((found.summary,))

"""`abiprobe promise --matrix`: the promises that a compiler family makes about itself, all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from rich.table import Table

from abiprobe.harness.cli.commands.console import print_json, print_lines, print_table
from abiprobe.harness.cli.commands.promise import Asked, run_asked
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.promises import MATRICES, Kind, matrix, releases
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.triage.promise_causes import broken_promises
from abiprobe.results.coverage.promises import Answered, Promise, Tested, answered, breaks, tested
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED
from abiprobe.results.journal.journal import Run
from abiprobe.results.report.promise_matrix import MatrixRow, columns, matrix_json, page, row_cells
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
            rows.extend(rows_of(run, part, some, own))
            return 0

        run_asked(part, these, report, named=bool(targets))
    print_matrix(f"Promises of {family}", rows, form)
    if any(row.tested.broken for row in rows):
        return 1
    return 0 if all(row.tested.complete for row in rows) else NOTHING_COMPARED


def rows_of(
    run: Run, asked: Asked, some: Sequence[tuple[Kind, Promise]], own: Sequence[Sequence[Subject]]
) -> list[MatrixRow]:
    """Return the row of each promise that a run put to the test; those that are broken share the time to look for causes."""
    answers = answered(run.batches)
    found = [(kind, tested(said, answers, asked.levels)) for kind, said in some]
    broken = sum(bool(one.broken) for _, one in found)
    rows = []
    for kind, one in found:
        causes = (
            broken_promises(
                one,
                run.batches,
                one.promise.configurations(asked.levels),
                asked.jobs,
                asked.reducing / broken,
                judged=1,
            )
            if one.broken
            else ()
        )
        rows.append(MatrixRow(kind.value, one, causes, since(answers, asked, one, own)))
    return rows


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


def print_matrix(title: str, rows: Sequence[MatrixRow], form: str) -> None:
    """Print a matrix as a table with each counter-example, as a page, or as values."""
    if form == "json":
        print_json(matrix_json(rows, declaration))
        return
    if form == "markdown":
        print_lines(page(title, rows, declaration))
        return
    heads = columns(rows)
    for row in rows:
        for number, one in enumerate(row.causes[:1], 1):
            print_lines((f"{row.name}:", *cause_lines(number, one, declaration), ""))
    table = Table(
        "promise", *(f"{base(target)} {part}" for target, part in heads), "since", box=None, pad_edge=False
    )
    for row in rows:
        table.add_row(row.name, *row_cells(row, heads), row.since)
    print_table(table)

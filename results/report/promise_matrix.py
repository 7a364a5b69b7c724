"""The matrix of the promises that a family makes about itself: how often each held, or the smallest counter-example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from abiprobe.results.causes.promises import CounterExamples
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.promises import PromisedPart, Tested
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.report.promise_text import Show, base, by_text, tested_json
from abiprobe.results.verdicts.quantity import quantity

ABSENT = "-"
"""The cell of what is not asked."""


class MatrixRow(msgspec.Struct, frozen=True):
    """One promise of a matrix under its heading: what became of it, counter-examples, and since which release it is broken.

    `since` is empty where that is not known.
    """

    heading: str
    tested: Tested
    found: CounterExamples = CounterExamples()
    since: str = ""

    @property
    def name(self) -> str:
        """The promise as a row of a table names it."""
        first, second = self.tested.promise.names
        return f"{first} as {second}"

    @property
    def among(self) -> str:
        """The number of groups of differences, of which an example is shown."""
        return f"one of {quantity(self.found.groups, 'group')} of differences"


class Matrix(msgspec.Struct, frozen=True):
    """The promises of a family, with what was asked of each compiler and what that took.

    `cases` are the prototypes, records and classes that were drawn with `seed`; `cpu_seconds` are those of everything, looking for
    counter-examples too.
    """

    family: str
    rows: tuple[MatrixRow, ...]
    cases: int
    seeds: tuple[int, ...]
    levels: tuple[str, ...]
    compilers: Mapping[str, str]
    cpu_seconds: float

    @property
    def broken(self) -> bool:
        """Return whether any promise is broken."""
        return any(row.tested.broken for row in self.rows)

    @property
    def complete(self) -> bool:
        """Return whether something was compared of all that each promise was asked about."""
        return all(row.tested.complete for row in self.rows)

    @property
    def summary(self) -> str:
        """The numbers of the whole matrix in a sentence."""
        held = sum(row.tested.complete and not row.tested.broken for row in self.rows)
        compared = sum(row.tested.held + row.tested.broken for row in self.rows)
        return (
            f"{held} of {quantity(len(self.rows), 'promise')} held on all that was compared, {quantity(compared, 'question')} "
            f"in {self.cpu_seconds / 60:.1f} CPU minutes"
        )

    @property
    def by_heading(self) -> tuple[tuple[str, tuple[MatrixRow, ...]], ...]:
        """The promises under each heading."""
        headings = dict.fromkeys(row.heading for row in self.rows)
        return tuple((one, tuple(row for row in self.rows if row.heading == one)) for one in headings)


def cell(part: PromisedPart | None) -> str:
    """Return the fate of a promise on the layouts or calls of a target, in a cell of a table."""
    if part is None:
        return ABSENT
    if part.broken:
        return f"{len(part.broken)} of {len(part.broken) + part.held} differ"
    return f"holds ({part.held})" if part.held else "not compared"


def columns(rows: Iterable[MatrixRow]) -> tuple[tuple[str, str], ...]:
    """The targets and parts that any promise was tested on, as the columns of a table; the same order in each."""
    return tuple(sorted({(part.target, part.part) for row in rows for part in row.tested.parts}))


def row_cells(row: MatrixRow, heads: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The cells of one promise."""
    parts = {(part.target, part.part): part for part in row.tested.parts}
    return tuple(cell(parts.get(head)) for head in heads)


def page(matrix: Matrix, show: Show) -> Iterator[str]:
    """The matrix as a page of Markdown: a table for each kind of promise, and the counter-examples behind it."""
    heads = columns(matrix.rows)
    yield f"# Promises of {matrix.family}"
    yield ""
    yield f"{matrix.summary}."
    for heading, some in matrix.by_heading:
        yield ""
        yield f"## {heading}"
        yield ""
        yield from table(some, heads)
    for row in matrix.rows:
        if row.found.examples:
            yield from counter_example(row, show)


def table(rows: Sequence[MatrixRow], heads: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The promises of one kind as a table."""
    here = [head for head in heads if any(one != ABSENT for row in rows for one in row_cells(row, (head,)))]
    yield f"| promise | {' | '.join(f'{base(target)} {part}' for target, part in here)} | since |"
    yield "| --- " * (len(here) + 2) + "|"
    for row in rows:
        yield f"| {' | '.join((f'`{row.name}`', *row_cells(row, here), row.since or ''))} |"


def counter_example(row: MatrixRow, show: Show) -> Iterator[str]:
    """The first counter-example to a promise, with its smallest question."""
    first = row.found.examples[0]
    found = first.cause.first
    yield ""
    yield f"### {row.name}"
    yield ""
    since = f" Since {row.since}." if row.since else ""
    yield f"{described(first.cause.traits)}: {row.among}.{since}"
    yield ""
    yield f"{found.blame.describe(first.cause.symptom)}." + (
        f" {by_text(first.clause)}" if first.clause else ""
    )
    yield ""
    yield from (f"* {one}" for one in first.stands)
    yield ""
    yield "```c"
    yield show(found.example)
    yield "```"


def matrix_json(matrix: Matrix, show: Show) -> dict[str, Any]:
    """The matrix as plain values."""
    return {
        "schema": SCHEMA,
        "family": matrix.family,
        "cases": matrix.cases,
        "seeds": list(matrix.seeds),
        "levels": list(matrix.levels),
        "cpu_seconds": matrix.cpu_seconds,
        "compilers": dict(matrix.compilers),
        "promises": [
            {
                "kind": row.heading,
                "since": row.since,
                "groups": row.found.groups,
                **tested_json(row.tested, row.found.examples, show),
            }
            for row in matrix.rows
        ],
    }

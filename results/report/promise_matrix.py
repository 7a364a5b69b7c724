"""The matrix of the promises that a family makes about itself: how often each held, or the smallest counter-example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from abiprobe.results.causes.promises import BrokenPromise
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.promises import PromisedPart, Tested
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.report.promise_text import Show, base, clause_link, tested_json
from abiprobe.results.verdicts.quantity import quantity

ABSENT = "-"
"""The cell of what is not asked."""


class MatrixRow(msgspec.Struct, frozen=True):
    """One promise of a matrix under its heading: what became of it, its causes, and since which release it is broken.

    `since` is empty where that is not known.
    """

    heading: str
    tested: Tested
    causes: tuple[BrokenPromise, ...] = ()
    since: str = ""

    @property
    def name(self) -> str:
        """The promise as a row of a table names it."""
        first, second = self.tested.promise.names
        return f"{first} as {second}"


def cell(part: PromisedPart | None) -> str:
    """Return the fate of a promise on the layouts or calls of a target, in a cell of a table."""
    if part is None:
        return ABSENT
    if part.broken:
        return f"{len(part.broken)} of {len(part.broken) + part.held} differ"
    return f"holds ({part.held})" if part.held else "not compared"


def columns(rows: Iterable[MatrixRow]) -> tuple[tuple[str, str], ...]:
    """The targets and parts that any promise was tested on, as the columns of a table."""
    return tuple(dict.fromkeys((part.target, part.part) for row in rows for part in row.tested.parts))


def row_cells(row: MatrixRow, heads: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The cells of one promise."""
    parts = {(part.target, part.part): part for part in row.tested.parts}
    return tuple(cell(parts.get(head)) for head in heads)


def page(title: str, rows: Sequence[MatrixRow], show: Show) -> Iterator[str]:
    """The matrix as a page of Markdown: a table for each kind of promise, and the counter-examples behind it."""
    heads = columns(rows)
    yield f"# {title}"
    yield ""
    held = [row for row in rows if row.tested.complete and not row.tested.broken]
    yield f"{len(held)} of {quantity(len(rows), 'promise')} held on all that was compared."
    for heading, some in groupby(rows, key=lambda row: row.heading):
        yield ""
        yield f"## {heading}"
        yield ""
        yield from table(tuple(some), heads)
    for row in rows:
        if row.causes:
            yield from counter_example(row, show)


def table(rows: Sequence[MatrixRow], heads: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The promises of one kind as a table."""
    here = [head for head in heads if any(one != ABSENT for row in rows for one in row_cells(row, (head,)))]
    yield f"| promise | {' | '.join(f'{base(target)} {part}' for target, part in here)} | since |"
    yield "| --- " * (len(here) + 2) + "|"
    for row in rows:
        yield f"| {' | '.join((f'`{row.name}`', *row_cells(row, here), row.since or ''))} |"


def counter_example(row: MatrixRow, show: Show) -> Iterator[str]:
    """The most frequent cause for which a promise is broken, with its smallest example."""
    first = row.causes[0]
    found = first.cause.first
    yield ""
    yield f"### {row.name}"
    yield ""
    more = f"; {quantity(len(row.causes) - 1, 'more cause')}" if row.causes[1:] else ""
    since = f" Since {row.since}." if row.since else ""
    yield f"{described(first.cause.traits)}, {quantity(first.cause.probes, 'probe')}{more}.{since}"
    yield ""
    yield f"{found.blame.describe(first.cause.symptom)}." + (
        f" {clause_link(first.clause)}." if first.clause else ""
    )
    yield ""
    yield from (f"* {one}" for one in first.stands)
    yield ""
    yield "```c"
    yield show(found.example)
    yield "```"


def matrix_json(rows: Sequence[MatrixRow], show: Show) -> dict[str, Any]:
    """The matrix as plain values."""
    return {
        "schema": SCHEMA,
        "promises": [
            {"kind": row.heading, "since": row.since, **tested_json(row.tested, row.causes, show)}
            for row in rows
        ],
    }

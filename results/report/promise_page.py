"""The matrix of the promises of a family as one HTML page that needs no server and no network."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.results.causes.promises import BrokenPromise
from abiprobe.results.causes.traits import described
from abiprobe.results.report.html_pages import html_templates
from abiprobe.results.report.promise_matrix import ABSENT, Matrix, MatrixRow, cell, columns
from abiprobe.results.report.promise_text import Show, base, decided


def matrix_page(matrix: Matrix, show: Show, home: str = "") -> str:
    """The whole page, with a link to the first page of a site at `home` if it is one of a site."""
    environment = html_templates("report")
    environment.globals.update(
        described=described,
        decided=decided,
        base=base,
        show=show,
        cells=cells,
        blamed=blamed,
        heads_of=heads_of,
    )
    template = environment.get_template("promise_page.html.j2")
    numbers = {row.name: number for number, row in enumerate(matrix.rows, 1)}
    return template.render(matrix=matrix, numbers=numbers, home=home)


def heads_of(rows: Sequence[MatrixRow]) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The columns of a table, by target."""
    every = columns(rows)
    targets = dict.fromkeys(target for target, _ in every)
    return tuple((target, tuple(one for one in every if one[0] == target)) for target in targets)


def cells(row: MatrixRow, heads: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The cells of one promise, each with its look: `good`, `wrong` or `dim`."""
    parts = {(part.target, part.part): part for part in row.tested.parts}
    found = []
    for head in heads:
        part = parts.get(head)
        look = "dim" if part is None or not part.compared else "wrong" if part.broken else "good"
        found.append((look, "" if cell(part) == ABSENT else cell(part)))
    return tuple(found)


def blamed(one: BrokenPromise) -> str:
    """The subjects that differ in an example, and on what."""
    return one.cause.first.blame.describe(one.cause.symptom)

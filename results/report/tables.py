"""Print tables whose cells may be long, among them the calls between the compilers of a run: a matrix for each target."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from abiprobe.results.coverage.pair_matrix import MARKED, Calls, PairMatrix

UNLIMITED = 100_000
"""Columns of a table that no terminal limits."""


def print_table(console: Console, table: Table) -> None:
    """Print a table: within the width of a terminal, and into a pipe or file as wide as it is, so that nothing is cut."""
    for column in table.columns:
        column.overflow = "fold"
    if console.is_terminal:
        console.print(table)
        return
    free = console.options.update(width=UNLIMITED, max_width=UNLIMITED)
    before = console.width
    console.width = max(before, Measurement.get(console, free, table).maximum)
    console.print(table)
    console.width = before


def print_matrices(console: Console, matrices: Iterable[PairMatrix]) -> None:
    """Print the matrices of more than two compilers, each below its target."""
    for matrix in matrices:
        if matrix.is_large:
            console.print()
            head = f"calls between compilers on {matrix.target}: failed/compared; {MARKED}"
            console.print(head, soft_wrap=True, markup=False, highlight=False)
            table = matrix_table(matrix)
            print_table(console, table)


def matrix_table(matrix: PairMatrix) -> Table:
    """A row for each compiler that calls, and a column for each that is called."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("caller, callee")
    for name in matrix.names.values():
        table.add_column(Text(name), justify="right", no_wrap=True)
    for caller, name in matrix.names.items():
        cells = (cell_text(matrix.at(caller, callee)) for callee in matrix.subjects)
        table.add_row(Text(name), *cells)
    return table


def cell_text(calls: Calls | None) -> Text:
    """The calls of one direction; empty if there were none."""
    if calls is None:
        return Text()
    style = "bold red" if calls.unexplained else "yellow" if calls.failed else "green"
    return Text(calls.text, style)

"""Print the calls between the compilers of a run as a matrix for each target."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from abiprobe.results.coverage.pair_matrix import MARKED, Calls, PairMatrix
from abiprobe.results.report.tables import print_table


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

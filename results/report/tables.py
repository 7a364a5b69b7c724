"""Print tables whose cells may be long."""

from __future__ import annotations

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

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

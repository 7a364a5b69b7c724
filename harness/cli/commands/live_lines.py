"""Lines at the end of a terminal that are drawn anew, with bars."""

from __future__ import annotations

from collections.abc import Iterable

from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from abiprobe.harness.cli.commands.console import console_of_asides

BAR = 24
"""Columns of a bar."""


def begun() -> Live:
    """Lines that nobody draws but who is told to, and that disappear at the end."""
    live = Live(console=console_of_asides(), auto_refresh=False, transient=True, redirect_stdout=False)
    live.start()
    return live


def rows(works: Iterable[tuple[str, float | None, str, str, str]]) -> Table:
    """A row for each work: what it is, the share of it that is done, how much, since when, and for how long yet."""
    table = Table.grid(padding=(0, 2))
    for words, share, *rest in works:
        bar = ProgressBar(total=1.0, completed=share, width=BAR) if share is not None else ""
        table.add_row(words, bar, *rest)
    return table

"""Consoles and printing: results go to standard output, progress to standard error if it is a terminal.

Much of what is printed was written by others: compilers, users, journals. No character of it commands the terminal.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from abiprobe.harness.base.progress import hide
from abiprobe.results.journal.printable import in_json, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

UNLIMITED = 100_000
"""Columns of a table that no terminal limits."""
PIPED_WIDTH = 120
"""Columns of text that no terminal limits."""


def answers() -> Console:
    """The console for answers."""
    hide()
    # Loading it takes as long as comparing two nights, which needs none.
    from rich.console import Console

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return guarded(Console(file=sys.stdout, highlight=False, markup=False, width=width))


def asides() -> Console:
    """The console for remarks."""
    hide()
    return console_of_asides()


def console_of_asides() -> Console:
    """The console for progress, on which remarks are printed as well."""
    from rich.console import Console

    return guarded(Console(file=sys.stderr, highlight=False, markup=False))


def guarded(console: Console) -> Console:
    """A console that prints what would command a terminal as codes."""
    from abiprobe.harness.cli.commands.guard import Guard

    console.push_render_hook(Guard())
    return console


def print_table(table: Table) -> None:
    """Print a table: within the width of a terminal, and into a pipe as wide as it is, so that nothing is cut."""
    from rich.console import Console

    for column in table.columns:
        column.overflow = "fold"
    if sys.stdout.isatty():
        answers().print(table)
        return
    file = io.StringIO()
    Console(file=file, width=UNLIMITED, highlight=False, color_system=None).print(table)
    print_lines(line.rstrip() for line in file.getvalue().splitlines())


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they are."""
    hide()
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)
    sys.stdout.flush()


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    hide()
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.buffer.write(in_json(text).encode() + b"\n")
    sys.stdout.buffer.flush()

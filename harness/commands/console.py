"""Where output goes: answers to standard output, progress to standard error, and only on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 120
"""Columns of text that no terminal limits."""


def answers() -> Console:
    """The console for answers."""
    # Loading it takes as long as comparing two nights, which needs none.
    from rich.console import Console

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(file=sys.stdout, highlight=False, width=width)


def asides() -> Console:
    """The console for progress and remarks."""
    from rich.console import Console

    return Console(file=sys.stderr, highlight=False)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they are."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.buffer.flush()

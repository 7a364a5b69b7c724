"""Where output goes: answers to standard output, progress to standard error, and only on a terminal."""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec
from rich.console import Console

PIPED_WIDTH = 120
"""Columns of text that no terminal limits."""


def answers() -> Console:
    """The console for answers."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(file=sys.stdout, highlight=False, width=width)


def asides() -> Console:
    """The console for progress and remarks."""
    return Console(file=sys.stderr, highlight=False)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.buffer.flush()

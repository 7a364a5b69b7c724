"""Console output as plain text."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

WIDTH = 120
"""Columns of a text that nobody resizes."""


def plain(draw: Callable[[Console], object]) -> str:
    """Return what is drawn, without colours, in lines that end where their text does."""
    file = io.StringIO()
    draw(Console(file=file, width=WIDTH, highlight=False, color_system=None))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()).rstrip() + "\n"

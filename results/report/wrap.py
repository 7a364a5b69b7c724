"""Paragraphs with a hanging indent, without trailing blanks, so that they survive a pipe."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

NARROWEST = 20
"""Columns of text that a console is taken to have at least."""


def print_hanging(console: Console, text: Text, *, first: str = "", indent: int = 2) -> None:
    """Print `text` in as many lines as it needs; `first` stands before the first, `indent` blanks before the rest."""
    prefix = first
    for line in text.wrap(console, max(console.width - max(len(first), indent), NARROWEST)):
        line.rstrip()
        console.print(Text(prefix) + line, soft_wrap=True)
        prefix = " " * indent

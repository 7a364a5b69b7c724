"""Brackets in a text of C."""

from __future__ import annotations


def closing(text: str, position: int, depth: int, brackets: tuple[str, str] = ("(", ")")) -> int | None:
    """Return the position after the bracket that closes the `depth` brackets open at `position`; `None` where none does.

    `brackets` are those that open and those that close.
    """
    opening, ending = brackets
    while depth and position < len(text):
        depth += (text[position] in opening) - (text[position] in ending)
        position += 1
    return None if depth else position

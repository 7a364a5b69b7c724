"""The question about the tables of a class of C++: its virtual tables, the table of those, its type information."""

from __future__ import annotations

from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Value


class Tables(Value, frozen=True):
    """The tables of a class that needs them."""

    of: Class


def tables_title(asked: Tables) -> str:
    """The question in a line."""
    return f"tables of {asked.of.tag}"

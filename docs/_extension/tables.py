"""Tables as the site shows them, of cells with inline content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from docutils import nodes

Cells: TypeAlias = Iterable[Sequence[nodes.Node]]
"""The content of each cell of a row."""


def table(head: Cells, rows: Iterable[Cells], widths: Sequence[int]) -> nodes.table:
    """A table whose columns have these relative widths."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), cols=len(widths))
    group += nodes.thead("", row(head))
    group += nodes.tbody("", *map(row, rows))
    return nodes.table("", group)


def row(cells: Cells) -> nodes.row:
    """A row of a table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))

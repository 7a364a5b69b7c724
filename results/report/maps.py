"""Three columns side by side: what the model says, what one compiler does, what another does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

SHOWN_BYTES = 8
"""Bytes of a place that are shown; of a longer one the first differing ones."""
UNDECIDED = ".."
"""A word of the model about which the text says nothing; whatever stands there does not differ from it."""


class MapRow(msgspec.Struct, frozen=True):
    """One place: what it is, and what stands there by the model and by each subject, as words of bytes or numbers.

    A word `..` of the model is a byte that the text leaves undefined; it never differs.
    """

    place: str
    model: tuple[str, ...]
    seen: tuple[tuple[str, ...], ...]


class Map(msgspec.Struct, frozen=True):
    """The places of one side of a probe (`caller`, `callee`, `layout`) for the model and some subjects."""

    side: str
    subjects: tuple[str, ...]
    rows: tuple[MapRow, ...]


def differing(model: Sequence[str], seen: Sequence[str]) -> tuple[bool, ...]:
    """Return for each word of `seen` whether it differs from the model's."""
    padded = (*model, *("",) * (len(seen) - len(model)))
    return tuple(here not in {UNDECIDED, there} for here, there in zip(padded, seen, strict=False))


def window(model: Sequence[str], seen: Sequence[Sequence[str]]) -> slice:
    """The words to show: the first ones, or those around the first difference."""
    bad = [index for one in seen for index, wrong in enumerate(differing(model, one)) if wrong]
    first = min(bad, default=0)
    start = 0 if first < SHOWN_BYTES else first // SHOWN_BYTES * SHOWN_BYTES
    return slice(start, start + SHOWN_BYTES)


def marked(model: Sequence[str], seen: Sequence[str]) -> Text:
    """Words of a subject; those that differ in brackets, and in red where there is colour."""
    text = Text()
    for index, (word, wrong) in enumerate(zip(seen, differing(model, seen), strict=False)):
        text.append(" " if index else "")
        text.append(f"[{word}]" if wrong else word, style="bold red" if wrong else "")
    return text


def print_map(console: Console, shown: Map) -> None:
    """Print a map as a table."""
    table = Table(
        shown.side,
        "model",
        *shown.subjects,
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
    )
    for row in shown.rows:
        part = window(row.model, row.seen)
        at = f" from byte {part.start}" if part.start else ""
        cells = (marked(row.model[part], one[part]) for one in row.seen)
        table.add_row(Text(row.place + at), Text(" ".join(row.model[part])), *cells)
    console.print(table)

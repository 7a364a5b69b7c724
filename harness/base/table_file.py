"""Tables in files: cells separated by tabs, under a line that names the command that makes them.

The first line is a remark, `# Made by `COMMAND`. ...`, or, where people write the rows, `# Kept by hand; `COMMAND` ...`.
The second line names the columns. Nothing is quoted, so that grep, cut and awk read what csv reads; a cell has no tab and
no line break. An empty cell is a value that is not there.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

SIGN = "# "
MADE, KEPT = "Made by", "Kept by hand;"
COMMAND = re.compile(rf"(?:{MADE}|{KEPT}) `([^`]+)`")

Row = Mapping[str, str]


class Table(msgspec.Struct, frozen=True):
    """The rows of a file, each by the names of its columns, and its first line without the sign."""

    remark: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def command(self) -> str:
        """The command that makes the rows or checks them, empty where none is named."""
        found = COMMAND.match(self.remark)
        return found[1] if found else ""

    @property
    def is_made(self) -> bool:
        """Return whether the command writes the rows."""
        return self.remark.startswith(MADE)

    def where(self, values: Row) -> tuple[Row, ...]:
        """The rows that have these values."""
        return tuple(row for row in self.rows if holds(row, values))


def holds(row: Row, values: Row) -> bool:
    """Return whether a row has these values."""
    return all(row[name] == value for name, value in values.items())


def parse(text: str) -> Table:
    """The table of a file's text; raises `ValueError` for a file without a remark or a row of another length."""
    remark, _, rest = text.partition("\n")
    if not remark.startswith(SIGN):
        raise ValueError(f"the first line names no command: {remark[:60]}")
    columns, *rows = csv.reader(io.StringIO(rest), "excel-tab", quoting=csv.QUOTE_NONE)
    table = (dict(zip(columns, row, strict=True)) for row in rows)
    return Table(remark.removeprefix(SIGN), tuple(columns), tuple(table))


def read(path: Path) -> Table:
    """The table of a file."""
    return parse(path.read_text("utf-8"))


def text_of(table: Table) -> str:
    """The text of a table's file; raises `csv.Error` for a cell with a tab or a line break."""
    text = io.StringIO()
    text.write(f"{SIGN}{table.remark}\n")
    writer = csv.writer(text, "excel-tab", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([row.get(name, "") for name in table.columns] for row in table.rows)
    return text.getvalue()


def put(path: Path, remark: str, rows: Sequence[Row], at: Row | None = None) -> None:
    """Put rows into a file in the place of those that have the values `at`, which the new ones get; without `at` in that of all.

    Makes the file, and columns that it lacks.
    """
    at = at or {}
    new = tuple({**at, **row} for row in rows)
    old = read(path) if path.exists() else Table(remark, (), ())
    columns = tuple(dict.fromkeys(name for names in (old.columns, *new) for name in names))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(Table(remark, columns, tuple(replaced(old.rows, new, at)))), "utf-8")


def replaced(old: Iterable[Row], new: Iterable[Row], at: Row) -> Iterable[Row]:
    """The old rows with the new ones where the first with the values `at` was, or behind all."""
    done = False
    for row in old:
        if not holds(row, at):
            yield row
        elif not done:
            yield from new
            done = True
    if not done:
        yield from new

"""The layout of a record as text, in the manner of pahole, with the clause that decided each place."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.language.declaration import Declaration, head
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Layout
from abiprobe.results.report.layout_rows import LayoutRow, RowKind, layout_rows
from abiprobe.results.report.no_answer import print_no_answer

INDENT = 4
SPECIFIER = 16
"""Names of members stand in one column, unless a type is longer than this."""
STYLES = {RowKind.GAP: "yellow", RowKind.SUM: "dim"}
PLACE_STYLE = "cyan"
CLAUSE_STYLE = "magenta"


def print_layout(console: Console, model: AbiModel, record: Record) -> tuple[str, ...]:
    """Print the layout of `record`, or why there is none; returns the clauses cited, in order."""
    answer = model.layout(record)
    if not isinstance(answer, Layout):
        return print_no_answer(console, head(record), answer)
    rows = tuple(layout_rows(model.types, record))
    for line in lines(rows, console.width):
        console.print(line, soft_wrap=True)
    return tuple(dict.fromkeys(row.clause for row in rows if row.clause))


def lines(rows: tuple[LayoutRow, ...], width: int) -> list[Text]:
    """The rows as lines that fit `width` columns where the declarations allow it."""
    column = max((len(code(row)) for row in rows if row.place and row.kind is not RowKind.SUM), default=0)
    beside = max((len(comment(row)) + 2 + len(row.clause) for row in rows if sits_right(row)), default=0)
    column = max(min(column, width - beside - 1), 0)
    placed = max((len(comment(row)) for row in rows if sits_right(row)), default=0)
    return [text for row in rows for text in row_lines(row, column, column + 1 + placed + 2)]


def sits_right(row: LayoutRow) -> bool:
    """Return whether the place of a row stands in the column on the right of the code."""
    return bool(row.place) and not stands_alone(row)


def stands_alone(row: LayoutRow) -> bool:
    """Return whether a row is a remark without code."""
    # Not by a set or a table: an enumeration's hash is worked out in Python.
    return row.kind is RowKind.GAP or row.kind is RowKind.SUM


def row_lines(row: LayoutRow, column: int, clause_column: int) -> list[Text]:
    """One row: code, place and clause each in its column; a place that code has run over gets its own line."""
    if stands_alone(row):
        line = Text(" " * INDENT * row.depth).append(comment(row), STYLES[row.kind])
        return [with_clause(line, row.clause, clause_column)]
    line = Text(code(row))
    if not row.place:
        return [line]
    above = [] if len(line) <= column else [line]
    line = Text() if above else line
    line.append(" " * (column + 1 - len(line))).append(comment(row), PLACE_STYLE)
    return [*above, with_clause(line, row.clause, clause_column)]


def with_clause(line: Text, clause: str, column: int) -> Text:
    """The line with the clause in its column."""
    if not clause:
        return line
    return line.append(" " * max(column - len(line), 2)).append(clause, CLAUSE_STYLE)


def code(row: LayoutRow) -> str:
    """The C of a row, indented; the names of members in one column."""
    indent = " " * INDENT * row.depth
    if not row.declarator:
        return f"{indent}{row.specifier}"
    padded = row.specifier.ljust(SPECIFIER - INDENT * (row.depth - 1))
    if padded == row.specifier:
        return f"{indent}{Declaration(row.specifier, row.declarator)}"
    return f"{indent}{padded} {row.declarator}"


def comment(row: LayoutRow) -> str:
    """The place of a row as a C comment."""
    return f"/* {row.place} */" if row.place else ""

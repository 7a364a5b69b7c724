"""Tables of the files under docs, as the site shows them.

    ```{data-file} notes.tsv findings.tsv
    :where: page = x86
    :group: section
    ```

makes a section for each value of the column `group`, with the rows of each file that have the values of `where`, or, of a file
without such a column, with all. A file of which one column is left becomes paragraphs, any other a table of the columns that are not empty. Cells are Markdown. The first line
of each file is shown, too, which names the command that makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from tables import table

from abiprobe.harness.base.table_file import Row, Table, read

LONGEST = 60
"""A column is at most so many times as wide as the narrowest one."""


class DataTables(SphinxDirective):
    """The rows of some files, grouped into sections."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"where": directives.unchanged, "group": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """The sections or the tables, and what they are made by."""
        where = conditions(self.options.get("where", ""))
        found = [self.read(name) for name in self.arguments[0].split()]
        rows = [(one, one.where({key: where[key] for key in where if key in one.columns})) for one in found]
        assert all(kept for _, kept in rows), f"no row of {self.arguments[0]} has {where}"
        group = self.options.get("group")
        made = [
            self.source(name, table) for name, table in zip(self.arguments[0].split(), found, strict=True)
        ]
        if group is None:
            return [*self.shown(rows, set(where)), *made]
        sections = (self.section(title, rows, {*where, group}, group) for title in titles(rows, group))
        return [*made, *sections]

    def read(self, name: str) -> Table:
        """The table of a file beside the page."""
        relative, absolute = self.env.relfn2path(name)
        self.env.note_dependency(relative)
        return read(Path(absolute))

    def source(self, name: str, table: Table) -> nodes.paragraph:
        """Where a table is from, with the file to load."""
        return self.paragraph(f"*[{Path(name).name}]({name})*: {table.remark}")

    def section(
        self, title: str, rows: Iterable[tuple[Table, Sequence[Row]]], hidden: set[str], group: str
    ) -> nodes.section:
        """The section of one value."""
        section = nodes.section(ids=[nodes.make_id(title)], names=[nodes.fully_normalize_name(title)])
        section += nodes.title("", "", *self.inline(title))
        of_title = [(one, [row for row in kept if row[group] == title]) for one, kept in rows]
        section += self.shown([one for one in of_title if one[1]], hidden)
        return section

    def shown(self, rows: Iterable[tuple[Table, Sequence[Row]]], hidden: set[str]) -> list[nodes.Node]:
        """The rows of each file, as paragraphs or as a table."""
        found: list[nodes.Node] = []
        for one, kept in rows:
            columns = [name for name in one.columns if name not in hidden and any(row[name] for row in kept)]
            if len(columns) == 1:
                found += [self.paragraph(row[columns[0]]) for row in kept]
            else:
                found.append(self.rows(columns, kept))
        return found

    def rows(self, columns: Sequence[str], rows: Sequence[Row]) -> nodes.table:
        """A table of some columns."""
        widths = [min(LONGEST, max(len(name), *(len(row[name]) for row in rows))) for name in columns]
        cells = (map(self.inline, (row[name] for name in columns)) for row in rows)
        return table(map(self.inline, columns), cells, widths)

    def paragraph(self, text: str) -> nodes.paragraph:
        """A paragraph of Markdown."""
        return nodes.paragraph("", "", *self.inline(text))

    def inline(self, text: str) -> list[nodes.Node]:
        """The nodes of Markdown within a line."""
        return self.parse_inline(text)[0] if text else []


def conditions(text: str) -> dict[str, str]:
    """The values that rows must have: `page = x86; section = i386`."""
    pairs = (one.partition("=") for one in text.split(";") if one.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def titles(rows: Iterable[tuple[Table, Sequence[Row]]], group: str) -> list[str]:
    """The values of a column, in the order of each file."""
    found: list[str] = []
    for _, kept in rows:
        at = len(found)
        for title in dict.fromkeys(row[group] for row in kept):
            if title not in found:
                found.insert(at, title)
            at = found.index(title) + 1
    return found

"""What the reference takes from the program itself.

The comment `<!-- every command -->` becomes a section for each topic, with its commands. The directive `clause-sheets` makes a
section for each document, with its clauses and the targets that follow it. The directive `data-file` shows the tables of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from data_tables import DataTables
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import table

from abiprobe.harness.cli.commands.listing import status
from abiprobe.harness.cli.main import cli
from abiprobe.harness.cli.topics import by_topic
from abiprobe.oracles.registry import TARGETS, is_followed
from abiprobe.oracles.text.clause import Sheet, address, sheets

MARK = "<!-- every command -->"
QUOTED = re.compile(r"(?<!`)`([^`]+)`(?!`)")


class ClauseSheets(SphinxDirective):
    """A section for each sheet, with a table of its clauses."""

    def run(self) -> list[nodes.Node]:
        """The table of targets, and the sections."""
        return [self.targets(), *(self.sheet(one) for one in sheets())]

    def targets(self) -> nodes.Node:
        """Which sheets each target follows."""
        rows = [
            (
                [nodes.literal(text=target.name)],
                [nodes.Text(target.title)],
                list(self.links([one.name for one in sheets() if is_followed(one.name, target.name)])),
            )
            for target in TARGETS.values()
        ]
        return table(names("target", "what it is", "sheets"), rows, (25, 40, 35))

    @staticmethod
    def links(names: list[str]) -> Iterator[nodes.Node]:
        """Links to sheets, with commas between them."""
        for number, name in enumerate(names):
            if number:
                yield nodes.Text(", ")
            yield nodes.reference("", name, internal=True, refid=f"sheet-{name}")

    def sheet(self, sheet: Sheet) -> nodes.section:
        """The section of a sheet."""
        section = nodes.section(ids=[f"sheet-{sheet.name}"])
        section += nodes.title(text=sheet.name)
        source = sheet.source
        section += nodes.paragraph("", f"{source.title}, {source.edition}.")
        rows = []
        for key, clause in sheet.clauses.items():
            says = [nodes.Text(clause.says)]
            if clause.excuse:
                says += [nodes.Text(" "), nodes.emphasis(text=status(sheet, key))]
            linked = nodes.reference("", clause.section, refuri=address(clause.id))
            rows.append(([nodes.literal(text=clause.id, ids=[nodes.make_id(clause.id)])], [linked], says))
        section += table(names("clause", "section", "what it says"), rows, (25, 25, 50))
        return section


def names(*columns: str) -> list[list[nodes.Node]]:
    """The head of a table."""
    return [[nodes.Text(name)] for name in columns]


def every_command() -> Iterator[str]:
    """The commands in Markdown, by topic."""
    for topic, names in by_topic(cli.commands):
        yield f"## {topic}\n"
        for name in names:
            definition = cli.commands[name].callback
            assert definition is not None, "every command does something"
            yield "```{eval-rst}"
            yield f".. click:: {definition.__module__}:{definition.__name__}"
            yield f"   :prog: abiprobe {name}"
            yield "   :nested: full\n```\n"


def put_commands(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Put the commands in the place of the comment."""
    if MARK in source[0]:
        source[0] = source[0].replace(MARK, "\n".join(every_command()))


def plain(_app: Sphinx, _context: click.Context, lines: list[str]) -> None:
    """Let the help of a command mean in reStructuredText what it means on a terminal."""
    lines[:] = [QUOTED.sub(r"``\1``", line.replace("*", r"\*")) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive, and put the commands where they belong."""
    app.connect("source-read", put_commands)
    app.connect("sphinx-click-process-description", plain)
    app.connect("sphinx-click-process-options", plain)
    app.add_directive("clause-sheets", ClauseSheets)
    app.add_directive("data-file", DataTables)
    return {"parallel_read_safe": True}

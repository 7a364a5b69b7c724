"""The findings of a test of unwind tables, debug information or debuggers, as text gives them, and as one HTML page."""

from __future__ import annotations

import msgspec

from abiprobe.results.report.html_pages import html_templates

SCHEMA = 1


class FrameReport(msgspec.Struct, frozen=True):
    """The findings of one call of a command, which tested `about`: figures in a table, remarks, causes, known bugs and those that are gone.

    Each cause is its lines, the first of which says what it is. `drawn` says of what the figures are, with the seed.
    """

    about: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...]
    causes: tuple[tuple[str, ...], ...]
    known: tuple[str, ...]
    gone: tuple[str, ...]
    drawn: str
    schema: int = SCHEMA

    @property
    def numbers(self) -> tuple[bool, ...]:
        """For each column, that it has figures alone, which stand to the right."""
        return tuple(
            all(cell[:1].isdigit() or cell == "-" for cell in column) and bool(column)
            for column in (tuple(row[at] for row in self.rows) for at in range(len(self.headings)))
        )


def frames_page(report: FrameReport, home: str = "") -> str:
    """The whole page, with a link to the first page of a site at `home` if it is one of a site."""
    return html_templates("report").get_template("frames.html.j2").render(report=report, home=home)

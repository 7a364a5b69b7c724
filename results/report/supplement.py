"""Additional answers of models about a function, such as its vector variants: as JSON values and as text."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.supplement import HasSupplement, LaneRow, Section
from abiprobe.results.report.layout_text import CLAUSE_STYLE, PLACE_STYLE
from abiprobe.results.report.no_answer import print_no_answer
from abiprobe.results.report.wrap import print_hanging


def supplement_json(model: AbiModel, function: Prototype) -> dict[str, Any]:
    """Further keys of a function in JSON; none where the model has no supplement."""
    return model.supplement(function).json if isinstance(model, HasSupplement) else {}


def print_supplement(console: Console, model: AbiModel, function: Prototype) -> tuple[str, ...]:
    """Print what a model says of a function beside the places of its call; returns the clauses cited, in order."""
    if not isinstance(model, HasSupplement):
        return ()
    found = model.supplement(function)
    if not found.headings:
        return ()
    console.print()
    for heading in found.headings:
        print_hanging(console, Text(heading, style="bold"), indent=4)
    if not isinstance(found.sections, tuple):
        return print_no_answer(console, function.name, found.sections)
    for remark in found.remarks:
        text = Text.assemble((f"{remark.what}: ", "bold yellow"), f"{remark.why} ")
        print_hanging(console, text.append(f"[{remark.clause}]", CLAUSE_STYLE))
    cited = [remark.clause for remark in found.remarks]
    for section in found.sections:
        cited += print_section(console, section)
    return tuple(dict.fromkeys(cited))


def print_section(console: Console, section: Section) -> list[str]:
    """Print a heading and its table; returns the clauses cited, in order."""
    cited = [section.clause, *section.further_clauses]
    console.print()
    heading = Text.assemble(
        (section.title, "bold"), f"  {section.about} ", (f"[{section.clause}]", CLAUSE_STYLE)
    )
    console.print(heading, soft_wrap=True)
    if not isinstance(section.rows, tuple):
        return [*cited, *print_no_answer(console, "where its lanes lie", section.rows)]
    console.print(table(section.rows))
    return [*cited, *(row.clause for row in section.rows)]


def table(rows: tuple[LaneRow, ...]) -> Table:
    """Rows as a table."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in ("argument", "type", "lanes", "place", "clause"):
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(
            row.name, row.type, row.lanes, Text(row.place, PLACE_STYLE), Text(row.clause, CLAUSE_STYLE)
        )
    return made

"""The legend: every clause cited on a page, once, under the document it stands in."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.text.clause import Clause, Source, recorded_clause, recorded_source
from abiprobe.results.report.wrap import print_hanging

CLAUSE_STYLE = "magenta"


def print_legend(console: Console, cited: Iterable[str]) -> None:
    """Print document, section and sentence of each clause of `cited`."""
    by_sheet: dict[str, list[Clause]] = {}
    for clause_id in dict.fromkeys(cited):
        by_sheet.setdefault(clause_id.partition(":")[0], []).append(recorded_clause(clause_id))
    for clauses in by_sheet.values():
        console.print()
        print_source(console, recorded_source(clauses[0].id))
        for clause in clauses:
            print_clause(console, clause)


def print_source(console: Console, source: Source) -> None:
    """A document: its title, edition and address."""
    print_hanging(console, Text.assemble((source.title, "bold"), f", {source.edition}"))
    if source.superseded:
        print_hanging(console, Text(f"superseded by {source.superseded}"), first="  ")
    if source.url:
        print_hanging(console, Text(source.url, style="dim"), first="  ")


def print_clause(console: Console, clause: Clause) -> None:
    """Print a clause: its id, its place and its text, or the point on which it is silent."""
    where = Text.assemble((clause.id, CLAUSE_STYLE), (f"  {clause.section}", "dim"))
    print_hanging(console, where, first="  ", indent=6)
    print_hanging(console, Text(clause.says), first=" " * 6, indent=6)
    marks = (
        ("Ambiguous", clause.ambiguous),
        ("Read literally", clause.literal),
        ("Silent", clause.silent),
        ("Contradicted", clause.contradicted),
    )
    for word, excuse in marks:
        if excuse:
            print_hanging(console, Text(f"{word}: {excuse}."), first=" " * 6, indent=6)

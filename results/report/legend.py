"""The legend: every clause cited on a page, once, under the document it stands in."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.clause import find_clause, sheets
from abiprobe.results.report.wrap import print_hanging


def print_legend(console: Console, cited: Iterable[str]) -> None:
    """Print document, section and sentence of each clause of `cited`; raises `KeyError` for an unknown one."""
    clauses = [find_clause(clause) for clause in dict.fromkeys(cited)]
    for sheet in sheets():
        own = [clause for clause in clauses if sheet.clauses.get(clause.id.partition(":")[2]) is clause]
        if not own:
            continue
        title = Text.assemble((sheet.source.title, "bold"), f", {sheet.source.edition}")
        print_hanging(console, title)
        console.print(Text(f"  {sheet.source.url}", style="dim"), soft_wrap=True)
        for clause in own:
            console.print(
                Text.assemble("  ", (clause.id, "magenta"), (f"  {clause.section}", "dim")), soft_wrap=True
            )
            print_hanging(console, Text(clause.says), first="      ", indent=6)
        console.print()

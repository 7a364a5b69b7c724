"""Print why a model gives no answer (unspecified or unsupported)."""

from __future__ import annotations

from typing import assert_never

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.text.clause import literal_reading, recorded_clause
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.report.wrap import print_hanging


def print_no_answer(console: Console, name: str, answer: Unspecified | Unsupported) -> tuple[str, ...]:
    """Print why `name` has no layout or no places; returns the clauses cited."""
    match answer:
        case Unspecified(clause, why):
            text = Text.assemble(
                (f"{name} is unspecified: ", "bold yellow"),
                f"{why}. The text leaves it open ",
                (f"[{clause}]", "magenta"),
                f": {silence(clause)}.{literally(clause)}",
            )
            print_hanging(console, text)
            return (clause,)
        case Unsupported(why):
            print_hanging(console, Text.assemble((f"{name} is unsupported: ", "bold yellow"), f"{why}."))
            return ()
        case _:
            assert_never(answer)


def literally(clause_id: str) -> str:
    """Return a sentence on the literal reading of a clause, if it has one beside that of the model."""
    literal = literal_reading(clause_id)
    return f" Read literally: {literal}." if literal else ""


def silence(clause_id: str) -> str:
    """Return what a clause leaves open, or else what it says."""
    clause = recorded_clause(clause_id)
    return clause.excuse or clause.says.rstrip(".")

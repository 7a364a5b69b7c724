"""Completion of targets, compilers and clauses in a shell, loaded only when a shell asks.

They are loaded when a shell asks, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def beginning(names: Iterable[str], typed: str) -> list[CompletionItem]:
    """Return the names that continue the typed text, of which all before the last comma stays."""
    before, comma, last = typed.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]


def targets(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Targets, also as a list with commas."""
    from abiprobe.oracles.registry import TARGETS

    return beginning(TARGETS, typed)


def subjects(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The compilers that are installed, also as a list with commas."""
    from abiprobe.harness.subjects.find import discover
    from abiprobe.oracles.registry import TARGETS

    return beginning((subject.spelling for subject in discover(tuple(TARGETS.values()))), typed)


def clauses_or_files(
    _context: click.Context, _parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Clauses once a letter is there and one begins so, else files."""
    from abiprobe.oracles import registry  # noqa: F401 - loads every sheet
    from abiprobe.oracles.text.clause import sheets

    names = (clause.id for sheet in sheets() for clause in sheet.clauses.values())
    found = beginning(names, typed) if typed else []
    return found or [CompletionItem(typed, type="file")]

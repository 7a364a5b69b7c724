"""Known bugs of unwind tables and debug information, as text and as JSON, and the exit status that they allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from abiprobe.results.known.ways import Entry

Met: TypeAlias = tuple[tuple[Entry, Counter[tuple[str, str]]], ...]
"""Entries with the functions that they explain, by target and subject."""

WRONG, NOT_ALL_COMPARED, BROKEN = 1, 3, 4


class Figures(Protocol):
    """The figures of a compiler, as far as the exit status goes by them."""

    crashed: bool

    @property
    def is_whole(self) -> bool:
        """Return whether everything that there is was compared."""


def exit_status(rows: Sequence[Figures], *, is_wrong: bool) -> int:
    """Return the exit status of a command that found something wrong or not, and has these figures."""
    if is_wrong:
        return WRONG
    if any(row.crashed for row in rows):
        return BROKEN
    return 0 if rows and all(row.is_whole for row in rows) else NOT_ALL_COMPARED


def met(entries: Sequence[Entry], counts: dict[str, Counter[tuple[str, str]]]) -> Met:
    """The entries that explain something."""
    return tuple((entry, counts[entry.name]) for entry in entries if entry.name in counts)


def known_lines(known: Met, gone: Sequence[str]) -> Iterator[str]:
    """The known bugs that were met, and those that no longer occur."""
    if known:
        yield ""
        yield "known bugs (functions):"
    for entry, counts in known:
        where = ", ".join(f"{subject} {target}" for target, subject in counts)
        yield f"{counts.total():7d}  {entry.name} ({entry.status.value}; {where})  {entry.link}"
    yield from (f"known, but no longer occurs: {name}" for name in gone)


def of_known(known: Met) -> list[dict[str, Any]]:
    """The known bugs that were met as values."""
    return [
        {
            "name": entry.name,
            "status": entry.status.value,
            "link": entry.link,
            "functions": [
                {"target": target, "subject": subject, "functions": number}
                for (target, subject), number in counts.items()
            ],
        }
        for entry, counts in known
    ]

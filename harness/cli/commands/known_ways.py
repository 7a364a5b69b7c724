"""Known bugs of unwind tables, debug information and debuggers, as text and as JSON, and the exit status that they allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

from abiprobe.harness.unwind.sorting import Result

WRONG, NOT_ALL_COMPARED, BROKEN = 1, 3, 4
C = TypeVar("C")


class Figures(Protocol):
    """The figures of a subject, as far as the exit status goes by them."""

    crashed: bool

    @property
    def is_whole(self) -> bool:
        """Return whether everything that there is was compared."""


def exit_status(rows: Sequence[Figures], result: Result[C], *, strict: bool) -> int:
    """Return the exit status of a command with this result and these figures; known bugs count with `strict` only."""
    if result.causes or result.gone or (strict and result.known):
        return WRONG
    if any(row.crashed for row in rows):
        return BROKEN
    return 0 if rows and all(row.is_whole for row in rows) else NOT_ALL_COMPARED


def known_lines(result: Result[C]) -> Iterator[str]:
    """The known bugs that were met, and those that no longer occur."""
    if result.known:
        yield ""
        yield "known bugs (functions):"
    for entry, counts in result.known:
        where = ", ".join(f"{subject} {target}" for target, subject in counts)
        yield f"{counts.total():7d}  {entry.name} ({entry.status.value}; {where})  {entry.link}"
    yield from (f"known, but no longer occurs: {name}" for name in result.gone)


def of_known(result: Result[C]) -> dict[str, Any]:
    """The same as values."""
    known = [
        {
            "name": entry.name,
            "status": entry.status.value,
            "link": entry.link,
            "functions": [
                {"target": target, "subject": subject, "functions": number}
                for (target, subject), number in counts.items()
            ],
        }
        for entry, counts in result.known
    ]
    return {"known": known, "gone": result.gone}

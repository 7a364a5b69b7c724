"""The reports on unwind tables, debug information and debuggers, as far as they are alike: known bugs, exit status, ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from abiprobe.harness.unwind.sorting import Result
from abiprobe.oracles.text.clause import find_clause

WRONG, NOT_ALL_COMPARED, BROKEN = 1, 3, 4
C = TypeVar("C")
UNREDUCED = "; not fully reduced (--reduce gives more time)"


class Figures(Protocol):
    """The figures of a subject, as far as the exit status goes by them."""

    crashed: bool

    @property
    def is_whole(self) -> bool:
        """Return whether everything that there is was compared."""


R = TypeVar("R", bound=Figures)


class Found(msgspec.Struct, Generic[R, C], frozen=True):
    """Everything that one call of a command found: the figures of each subject, and causes; `cases` functions were drawn."""

    seed: int
    cases: int
    rows: tuple[R, ...]
    result: Result[C]
    seconds: float

    def status(self, *, strict: bool) -> int:
        """The exit status of the command; known bugs count with `strict` only."""
        return exit_status(self.rows, self.result, strict=strict)

    def lines(self, causes: Iterable[Iterable[str]]) -> Iterator[str]:
        """The lines behind the figures: each cause, known bugs, and what was drawn."""
        for about in causes:
            yield ""
            yield from about
        yield from known_lines(self.result)
        yield from ("", f"seed {self.seed}: {self.cases} functions, {self.seconds:.0f} s")

    def as_json(self, subjects: Sequence[object], causes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "schema": 1,
            "seed": self.seed,
            "cases": self.cases,
            "seconds": round(self.seconds, 3),
            "subjects": subjects,
            "causes": causes,
            **of_known(self.result),
        }


def clause_lines(clauses: Iterable[str]) -> Iterator[str]:
    """Each clause once, with where it stands and what it says."""
    for clause in dict.fromkeys(clauses):
        yield f"  {clause} ({find_clause(clause).section}): {find_clause(clause).says}"


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

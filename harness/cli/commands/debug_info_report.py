"""The findings of `abiprobe debug-info`, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from abiprobe.harness.cli.commands.known_ways import UNREDUCED, Form, clause_lines
from abiprobe.harness.debugging.bundle import of_debug_info
from abiprobe.harness.debugging.causes import Cause, verdict
from abiprobe.harness.debugging.judging import Point, Shown
from abiprobe.harness.debugging.sweep import Answered
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.attempt import Failed
from abiprobe.results.verdicts.record import Outcome

HEADINGS = ("target", "subject", "level", "parameters", *(one.value for one in Shown))
CRASHES = (Outcome.CRASHED, Outcome.TIMED_OUT)


class Row(msgspec.Struct):
    """The figures of a subject on a target at a level: functions, parameters by point and by what is shown of them.

    `other` parameters did not arrive as the text says, and nothing is told of them; `unsupported` functions the target or the compiler does not have.
    """

    target: str
    subject: str
    level: str
    functions: int = 0
    unsupported: int = 0
    other: int = 0
    shown: Counter[tuple[Point, Shown]] = msgspec.field(default_factory=Counter)
    failures: Counter[str] = msgspec.field(default_factory=Counter)
    crashed: bool = False

    @property
    def is_whole(self) -> bool:
        """Return whether every function that there is was compared."""
        return bool(self.shown) and not self.failures

    def add(self, answers: Answered) -> None:
        """Count what came of a unit."""
        for one in answers:
            if not isinstance(one, Failed):
                self.functions += 1
                self.other += len(one.other)
                self.shown.update((fact.point, fact.shown) for fact in one.facts)
            elif one.outcome is Outcome.UNSUPPORTED:
                self.unsupported += 1
            else:
                self.failures[f"{one.outcome.value}: {one.words}"] += 1
                self.crashed |= one.outcome in CRASHES


def cells(row: Row) -> Iterator[tuple[str, ...]]:
    """Yield the figures of a subject at each point."""
    for point in Point:
        figures = (str(row.shown[point, one]) for one in Shown)
        yield row.target, row.subject, row.level, point.value, *figures


def remarks(row: Row) -> Iterator[str]:
    """The functions and parameters of which nothing is told."""
    name = f"{row.subject} {row.target} -{row.level}"
    if not row.shown and not row.failures:
        yield f"{name}: nothing compared"
    if row.unsupported:
        yield f"{name}: {row.unsupported} functions are not supported"
    if row.other:
        yield f"{name}: {row.other} parameters do not arrive as the text says (abiprobe run tells why)"
    for words, count in row.failures.items():
        yield f"{name}: {count} functions not compared, {words}"


def about(cause: Cause) -> Iterator[str]:
    """A cause in lines: where it is, the smallest prototype, and what is wrong in it."""
    counts = ", ".join(f"{subject} {count}" for subject, count in cause.counts.items())
    yield f"{cause.target}: {cause.kind}"
    yield f"  functions: {counts}"
    yield from clause_lines(one.clause for one in cause.wrong)
    yield f"  {cause.way.subject} -{cause.way.level}{'' if cause.reduced else UNREDUCED}"
    yield from (f"    {line}" for line in declaration(cause.function).splitlines())
    yield from (f"  {verdict(one)}" for one in cause.wrong)


def of_row(row: Row) -> dict[str, Any]:
    """The figures of a subject as values."""
    names = ("target", "subject", "level", "functions", "unsupported", "other", "failures", "crashed")
    points = {
        point.name.lower(): {one.name.lower(): row.shown[point, one] for one in Shown} for point in Point
    }
    return {**{name: getattr(row, name) for name in names}, "parameters": points}


def of_cause(cause: Cause) -> dict[str, Any]:
    """A cause as values."""
    return {
        "target": cause.target,
        "kind": cause.kind,
        "functions": cause.counts,
        "subject": cause.way.subject.spelling,
        "level": cause.way.level,
        "reduced": cause.reduced,
        "example": declaration(cause.function),
        "wrong": [msgspec.to_builtins(one) for one in cause.wrong],
    }


FORM = Form[Row, Cause](
    "Debug information",
    HEADINGS,
    cells,
    remarks,
    about,
    of_row,
    of_cause,
    lambda one: (one.target, of_debug_info(one)),
)

"""The findings of `abiprobe unwind`, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from abiprobe.harness.cli.commands.bisect import change_lines
from abiprobe.harness.cli.commands.known_ways import UNREDUCED, Form, clause_lines
from abiprobe.harness.unwind.bundle import files
from abiprobe.harness.unwind.causes import Cause
from abiprobe.harness.unwind.image import Answer
from abiprobe.harness.unwind.spelling import place, verdict
from abiprobe.harness.unwind.sweep import Share
from abiprobe.harness.unwind.unit import example
from abiprobe.results.verdicts.record import Outcome

HEADINGS = (
    "target",
    "subject",
    "functions",
    "of their code",
    "instructions",
    "facts",
    "wrong instructions",
)
CRASHES = (Outcome.CRASHED, Outcome.TIMED_OUT)


class Row(msgspec.Struct):
    """The figures of a subject on a target: functions, bytes of code, those stepped, instructions, steps, facts and wrong instructions."""

    target: str
    subject: str
    functions: int = 0
    code_bytes: int = 0
    stepped_bytes: int = 0
    instructions: int = 0
    steps: int = 0
    facts: int = 0
    wrong: int = 0
    failures: dict[str, int] = msgspec.field(default_factory=dict)
    crashed: bool = False
    ended: list[str] = msgspec.field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Return whether every function was compared to its end."""
        return bool(self.facts) and not self.failures and not self.ended

    def add(self, share: Share, answer: Answer) -> None:
        """Count what came of a unit."""
        if answer.outcome is not Outcome.OBSERVED:
            words = f"{answer.outcome.value}: {answer.words}"
            self.failures[words] = self.failures.get(words, 0) + len(share.functions)
            self.crashed |= answer.outcome in CRASHES
            return
        found = answer.stepping
        self.functions += len(share.functions)
        self.code_bytes += answer.code_bytes
        self.stepped_bytes += sum(found.lengths.values())
        self.instructions += len(found.lengths)
        self.steps += found.steps
        self.facts += found.facts
        self.wrong += len({(one.function, one.at) for one in found.wrong.values()})
        self.ended += found.ended


def cells(row: Row) -> Iterator[tuple[str, ...]]:
    """Yield the figures of a subject."""
    share = f"{row.stepped_bytes / row.code_bytes:.0%}" if row.code_bytes else "-"
    figures = row.functions, share, row.instructions, row.facts, row.wrong
    yield row.target, row.subject, *map(str, figures)


def remarks(row: Row) -> Iterator[str]:
    """The functions of a subject that were not compared, and runs that ended early."""
    for words, count in row.failures.items():
        yield f"{row.subject} {row.target}: {count} functions not compared, {words}"
    if row.ended:
        yield f"{row.subject} {row.target}: {len(row.ended)} runs ended early, e.g. {row.ended[0]}"


def about(cause: Cause) -> Iterator[str]:
    """A cause in lines: where it is, the smallest function, and what is wrong at each of its instructions."""
    counts = ", ".join(f"{subject} {count}" for subject, count in cause.counts.items())
    yield f"{cause.target}: {cause.kind}"
    yield f"  functions: {counts}; {cause.instructions} instructions"
    yield from clause_lines(one.clause for one in cause.wrong)
    yield f"  {cause.way.subject} {cause.way}{'' if cause.reduced else UNREDUCED}"
    yield from (f"    {line}" for line in example(cause.function).splitlines())
    for one in cause.wrong:
        yield f"  {place(one)}: {verdict(one)}"
    for version in cause.versions:
        yield f"  {version.subject}: {version.whole.value}"
    if cause.versions:
        yield from (f"  {line}" for line in change_lines(cause.versions))


def of_cause(cause: Cause) -> dict[str, Any]:
    """A cause as values."""
    return {
        "target": cause.target,
        "kind": cause.kind,
        "functions": cause.counts,
        "instructions": cause.instructions,
        "subject": cause.way.subject.spelling,
        "options": str(cause.way),
        "reduced": cause.reduced,
        "example": example(cause.function),
        "versions": {one.subject: one.whole.value for one in cause.versions},
        "wrong": [
            {
                **msgspec.to_builtins(one),
                "expected": hexadecimal(one.expected),
                "found": hexadecimal(one.found),
            }
            for one in cause.wrong
        ],
    }


def hexadecimal(value: int | None) -> str | None:
    """A value as JSON has it, which has no integers of 64 bits."""
    return None if value is None else f"{value:#x}"


FORM = Form[Row, Cause](
    "Unwind tables",
    HEADINGS,
    cells,
    remarks,
    about,
    lambda row: row,
    of_cause,
    lambda one: (one.target, files(one)),
)

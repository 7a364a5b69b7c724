"""`abiprobe debugger`: what debuggers show of parameters and results, and what they pass to functions that they call."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import duration, run_targets, whole_number
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.known_ways import UNREDUCED, Form, Found, expect_empty
from abiprobe.harness.cli.commands.unwind import by_default, expect_working
from abiprobe.harness.debugging.bundle import of_debugger
from abiprobe.harness.debugging.debugger_causes import SEARCH, Asked, Cause, Member, is_asked, look, members
from abiprobe.harness.debugging.debuggers import LLDB, Action, Seen, emulated, find_debugger
from abiprobe.harness.debugging.sweep import Way, drawn, expect_known
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.unwind.sorting import result
from abiprobe.oracles.model import Target
from abiprobe.results.known.ways import Entry
from abiprobe.results.verdicts.record import Outcome

TARGET = "x86_64-sysv"
HEADINGS = ("debugger", "programs of", "target", "functions", "values", "right", "wrong", "refused")
LEVEL = "O0"
"""The level at which compilers keep every parameter where debug information says."""


class Row(msgspec.Struct):
    """The figures of a debugger on a target: values by what was told and whether they are right, `None` where it refuses."""

    debugger: str
    target: str
    compiler: str
    functions: int = 0
    unsupported: int = 0
    counts: Counter[tuple[Action, bool | None]] = msgspec.field(default_factory=Counter)
    failures: Counter[str] = msgspec.field(default_factory=Counter)
    crashed: bool = False

    @property
    def is_whole(self) -> bool:
        """Return whether every function that there is was compared."""
        return bool(self.functions) and not self.failures

    def add(self, seen: tuple[Seen, ...] | Failed) -> None:
        """Count what came of a function."""
        if not isinstance(seen, Failed):
            self.functions += 1
            self.counts.update((one.action, one.is_right) for one in seen)
        elif seen.outcome is Outcome.UNSUPPORTED:
            self.unsupported += 1
        # A crash is a cause, or known.
        elif seen.outcome is not Outcome.CRASHED:
            self.failures[f"{seen.outcome.value}: {seen.words}"] += 1


def debugger(
    places: Sequence[str],
    programs: Sequence[str],
    subject: str | None,
    cases: str,
    seed: str,
    budget: str,
    form: str,
    out: Path | None,
    known: Sequence[Entry],
    *,
    strict: bool,
) -> int:
    """Ask debuggers; 1 when a value is wrong in a way that is not known, 3 when a function could not be compared."""
    debuggers = [find_debugger(program) for program in programs]
    targets = run_targets(places or (TARGET,))
    for target in targets:
        expect_known(target)
        if emulated(described(target)[0].name) and any(one.kind == LLDB for one in debuggers):
            raise Problem(f"lldb is not asked about {target}", f"it is about {TARGET}")
    asked = [
        Asked(Way(target.name, compiler, LEVEL), one)
        for target in targets
        for compiler in compilers(target, subject)
        for one in debuggers
    ]
    count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
    seconds, began = duration(budget), time.monotonic()
    expect_empty(out)
    functions = [one for one in drawn(start, count) if is_asked(one)]
    rows: list[Row] = []
    wrong: list[tuple[Asked, list[tuple[str, Member]]]] = []
    for one in asked:
        row = Row(str(one.debugger), one.way.target, one.way.subject.spelling)
        rows.append(row)
        with steps(f"asking {one.debugger.kind}"):
            for function, seen in look(one, functions):
                row.add(seen)
                wrong.append((one, members(one, function, seen)))
    sorted_out = result(wrong, known, seconds, SEARCH)
    found = Found(start, count, tuple(rows), sorted_out, time.monotonic() - began)
    return found.finish(FORM, out, form, strict=strict)


def compilers(target: Target, subject: str | None) -> Sequence[Subject]:
    """The compilers of the programs: that which is named, or the newest gcc."""
    chosen = select_subjects(named_subjects(subject) if subject else by_default((target,))[:1], (target,))
    expect_working(chosen)
    return chosen[target]


def cells(row: Row) -> Iterator[tuple[str, ...]]:
    """Yield the figures of a debugger for each thing that it was asked to do."""
    for action in Action:
        values = (str(row.counts[action, each]) for each in (True, False, None))
        yield row.debugger, f"{row.compiler} -{LEVEL}", row.target, str(row.functions), action.value, *values


def remarks(row: Row) -> Iterator[str]:
    """The functions of which nothing is told."""
    name = f"{row.debugger}, {row.compiler} {row.target}"
    if row.unsupported:
        yield f"{name}: {row.unsupported} functions of which the text gives no places"
    yield from (f"{name}: {count} functions not compared, {words}" for words, count in row.failures.items())


def about(cause: Cause) -> Iterator[str]:
    """A cause in lines."""
    more = "" if cause.reduced else UNREDUCED
    yield f"{cause.asked.debugger}, {cause.asked.way.target}: {cause.kind}, {cause.functions} functions{more}"
    yield from (f"    {line}" for line in declaration(cause.function).splitlines())
    yield from (f"  {one.kind} {one.name}: {one.found}; it is {one.expected}" for one in cause.wrong)


def of_cause(cause: Cause) -> dict[str, Any]:
    """A cause as values."""
    return {
        "debugger": str(cause.asked.debugger),
        "target": cause.asked.way.target,
        "kind": cause.kind,
        "functions": cause.functions,
        "reduced": cause.reduced,
        "example": declaration(cause.function),
        "wrong": [msgspec.to_builtins(each) for each in cause.wrong],
    }


def of_row(row: Row) -> dict[str, Any]:
    """The figures of a debugger as values."""
    names = {True: "right", False: "wrong", None: "refused"}
    kept = ("debugger", "target", "compiler", "functions", "unsupported", "failures")
    values = {
        action.name.lower(): {name: row.counts[action, each] for each, name in names.items()}
        for action in Action
    }
    return {**{name: getattr(row, name) for name in kept}, "values": values}


FORM = Form[Row, Cause](
    "Debuggers",
    HEADINGS,
    cells,
    remarks,
    about,
    of_row,
    of_cause,
    lambda one: (one.asked.way.target, of_debugger(one)),
)

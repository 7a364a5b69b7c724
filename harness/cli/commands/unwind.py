"""`abiprobe unwind`: the unwind tables of compilers, at every instruction of functions drawn for their frames."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table

from abiprobe.harness.api.arguments import duration, level_names, run_targets, whole_number, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import print_json, print_lines, print_table
from abiprobe.harness.cli.commands.repro import write
from abiprobe.harness.subjects.find import command, discover, version_failure
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.unwind import instructions
from abiprobe.harness.unwind.bundle import files
from abiprobe.harness.unwind.causes import Cause, causes
from abiprobe.harness.unwind.image import Answer
from abiprobe.harness.unwind.spelling import place, verdict
from abiprobe.harness.unwind.sweep import Share, bench, drawn, sweep
from abiprobe.harness.unwind.unit import example
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.verdicts.record import Outcome

WRONG, NOT_ALL_COMPARED, BROKEN = 1, 3, 4
CRASHES = (Outcome.CRASHED, Outcome.TIMED_OUT)
FAMILIES = ("gcc", "clang")
"""Compilers that are tested where none is named: the newest of each."""


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


class Found(msgspec.Struct, frozen=True):
    """Everything that one call of the command found."""

    seed: int
    cases: int
    rows: tuple[Row, ...]
    causes: tuple[Cause, ...]
    seconds: float

    @property
    def status(self) -> int:
        """The exit status of the command."""
        if any(row.wrong for row in self.rows):
            return WRONG
        if any(row.crashed for row in self.rows):
            return BROKEN
        return 0 if self.rows and all(row.is_whole for row in self.rows) else NOT_ALL_COMPARED


def unwind(
    places: Sequence[str],
    subjects: str | None,
    levels: str,
    cases: str,
    seed: str,
    budget: str,
    jobs: str | None,
    form: str,
    out: Path | None,
) -> int:
    """Step functions; 1 when a row is wrong, 3 when not all functions could be compared, 4 when a compiler crashed."""
    if not instructions.is_installed():
        raise Problem("the disassembler is not installed", instructions.INSTALL)
    targets = run_targets(places)
    for target in targets:
        bench(target.name)
    chosen = select_subjects(named_subjects(subjects) if subjects else by_default(targets), targets)
    expect_working(chosen)
    count, start = whole_number(cases, "--cases", 1), whole_number(seed, "--seed", 0)
    seconds, asked = duration(budget), level_names(levels)
    if out is not None:
        expect_empty(out)
    began = time.monotonic()
    rows: dict[tuple[str, str], Row] = {}
    deviating: list[tuple[Share, Answer]] = []
    for share, answer in sweep(chosen, asked, drawn(start, count), workers(jobs)):
        name = share.way.target, share.way.subject.spelling
        rows.setdefault(name, Row(*name)).add(share, answer)
        if answer.stepping.wrong:
            deviating.append((share, answer))
    with steps("reducing"):
        reduced = causes(deviating, seconds)
    if out is not None:
        for number, one in enumerate(reduced, 1):
            write(out / f"{number:02}-{one.target}", files(one))
    found = Found(start, count, tuple(rows.values()), tuple(reduced), time.monotonic() - began)
    if form == "json":
        print_json(as_json(found))
    else:
        show(found)
    return found.status


def by_default(targets: Sequence[Target]) -> tuple[Subject, ...]:
    """The newest compiler of each family that is installed for one of some targets."""
    newest: dict[str, Subject] = {}
    for subject in discover(tuple(targets)):
        newest.setdefault(subject.family.name, subject)
    return tuple(newest[name] for name in FAMILIES if name in newest)


def show(found: Found) -> None:
    """Print the figures, what failed, and each cause."""
    table = Table(box=None, pad_edge=False)
    headings = (
        "target",
        "subject",
        "functions",
        "of their code",
        "instructions",
        "facts",
        "wrong instructions",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading in {"target", "subject"} else "right")
    for row in found.rows:
        share = f"{row.stepped_bytes / row.code_bytes:.0%}" if row.code_bytes else "-"
        figures = row.functions, share, row.instructions, row.facts, row.wrong
        table.add_row(row.target, row.subject, *map(str, figures))
    print_table(table)
    for row in found.rows:
        print_lines(remarks(row))
    for one in found.causes:
        print_lines(("", *about(one)))
    print_lines(["", f"seed {found.seed}: {found.cases} functions, {found.seconds:.0f} s"])


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
    clauses = dict.fromkeys(one.clause for one in cause.wrong)
    for clause in clauses:
        yield f"  {clause} ({find_clause(clause).section}): {find_clause(clause).says}"
    yield f"  {cause.way.subject} {cause.way}{'' if cause.reduced else '; not fully reduced (--reduce gives more time)'}"
    yield from (f"    {line}" for line in example(cause.function).splitlines())
    for one in cause.wrong:
        yield f"  {place(one)}: {verdict(one)}"


def as_json(found: Found) -> dict[str, Any]:
    """Everything as JSON values."""
    return {
        "schema": 1,
        "seed": found.seed,
        "cases": found.cases,
        "seconds": round(found.seconds, 3),
        "subjects": found.rows,
        "causes": [of_cause(one) for one in found.causes],
    }


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
        "wrong": [
            {
                **msgspec.to_builtins(one),
                "expected": hexadecimal(one.expected),
                "found": hexadecimal(one.found),
            }
            for one in cause.wrong
        ],
    }


def expect_empty(out: Path) -> None:
    """Make a folder; raises `Problem` if there is something in it, or it cannot be made."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise Problem(f"{out} is not empty", "choose another folder with --out")
    except OSError as error:
        raise Problem(f"cannot write {out} ({error.strerror})", "choose another folder with --out") from error


def hexadecimal(value: int | None) -> str | None:
    """A value as JSON has it, which has no integers of 64 bits."""
    return None if value is None else f"{value:#x}"


def expect_working(chosen: Mapping[Target, Sequence[Subject]]) -> None:
    """Raise `Problem` for a compiler that does not tell its version."""
    for target, some in chosen.items():
        for subject in some:
            words = command(subject, target)
            if words is not None and (why := version_failure(words)):
                raise Problem(f"{subject} does not tell its version: {why}", "see: abiprobe list toolchains")

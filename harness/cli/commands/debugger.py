"""`abiprobe debugger`: what gdb shows of parameters and results, and what it passes to functions that it calls."""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import duration, run_targets, whole_number
from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.cli.commands.known_ways import NOT_ALL_COMPARED, WRONG, Met, known_lines, met, of_known
from abiprobe.harness.cli.commands.unwind import by_default, expect_working
from abiprobe.harness.debugging.debugger_causes import Asked, Cause, causes, is_asked, kinds, look
from abiprobe.harness.debugging.gdb import Action, Seen
from abiprobe.harness.debugging.sweep import Way, drawn
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.oracles.language.lang import Prototype
from abiprobe.results.causes.traits import alike, traits
from abiprobe.results.known.entries import in_force
from abiprobe.results.known.ways import Entry
from abiprobe.results.verdicts.record import Outcome

TARGET = "x86_64-sysv"
"""The target whose programs gdb runs by itself."""
LEVEL = "O0"
"""The level at which compilers keep every parameter where debug information says."""
SECONDS = 30.0


class Found(msgspec.Struct):
    """Everything that one call of the command found; `counts` are values by what was told and whether they are right, `None` where gdb refuses."""

    version: str
    compiler: str
    seed: int
    functions: int = 0
    unsupported: int = 0
    counts: Counter[tuple[Action, bool | None]] = msgspec.field(default_factory=Counter)
    failures: Counter[str] = msgspec.field(default_factory=Counter)
    causes: list[Cause] = msgspec.field(default_factory=list)
    known: Met = ()
    seconds: float = 0.0

    def add(self, seen: tuple[Seen, ...] | Failed) -> None:
        """Count what came of a function."""
        if isinstance(seen, Failed):
            self.unsupported += seen.outcome is Outcome.UNSUPPORTED
            # A crash is a cause, or known.
            if seen.outcome not in {Outcome.UNSUPPORTED, Outcome.CRASHED}:
                self.failures[f"{seen.outcome.value}: {seen.words}"] += 1
            return
        self.functions += 1
        self.counts.update((one.action, one.is_right) for one in seen)

    def status(self, *, strict: bool) -> int:
        """The exit status of the command; known bugs count with `strict` only."""
        if self.causes or (strict and self.known):
            return WRONG
        return 0 if self.functions and not self.failures else NOT_ALL_COMPARED


def debugger(
    gdb: str,
    subject: str | None,
    cases: str,
    seed: str,
    budget: str,
    form: str,
    known: Sequence[Entry],
    *,
    strict: bool,
) -> int:
    """Ask gdb; 1 when a value is wrong in a way that is not known, 3 when a function could not be compared."""
    version = version_of(gdb)
    (target,) = run_targets((TARGET,))
    chosen = select_subjects(named_subjects(subject) if subject else by_default((target,))[:1], (target,))
    expect_working(chosen)
    (compiler,) = chosen[target]
    count, start, seconds = (
        whole_number(cases, "--cases", 1),
        whole_number(seed, "--seed", 0),
        duration(budget),
    )
    began = time.monotonic()
    asked = Asked(Way(TARGET, compiler, LEVEL), gdb)
    found = Found(version, compiler.spelling, start)
    new: list[tuple[str, Prototype]] = []
    explained: dict[str, Counter[tuple[str, str]]] = {}
    entries = [one for one in in_force(known, datetime.now(UTC).date()) if one.is_of(TARGET, "gdb", version)]
    with steps("asking gdb"):
        for function, seen in look(asked, [one for one in drawn(start, count) if is_asked(one)]):
            found.add(seen)
            for kind in kinds(seen):
                has = alike(traits(function))
                entry = next((each for each in entries if each.explains(kind, has)), None)
                if entry is None:
                    new.append((kind, function))
                else:
                    explained.setdefault(entry.name, Counter())[TARGET, "gdb"] += 1
    with steps("reducing"):
        found.causes = causes(asked, new, seconds)
    found.known, found.seconds = met(entries, explained), time.monotonic() - began
    if form == "json":
        print_json(as_json(found))
    else:
        print_lines(lines(found))
    return found.status(strict=strict)


def version_of(gdb: str) -> str:
    """The version of a gdb; raises `Problem` where there is none."""
    if shutil.which(gdb) is None:
        raise Problem(f"{gdb} is not installed", "apt-get install gdb")
    done = child.run((gdb, "-nx", "-batch", "-ex", "python print(gdb.VERSION)"), timeout=SECONDS)
    text = done.stdout.decode("utf-8", "replace").strip()
    if not done.ok or not re.match(r"\d", text):
        raise Problem(f"{gdb} does not tell its version by its Python", "a gdb with Python is needed")
    return text


def lines(found: Found) -> Iterator[str]:
    """The findings as text."""
    yield f"gdb {found.version}, programs of {found.compiler} -{LEVEL} for {TARGET}"
    for action in Action:
        right, bad, none = (found.counts[action, each] for each in (True, False, None))
        yield f"  {action.value}: {right} right, {bad} wrong, {none} refused"
    if found.unsupported:
        yield f"{found.unsupported} functions of which the text gives no places"
    yield from (f"{count} functions not compared, {words}" for words, count in found.failures.items())
    for cause in found.causes:
        yield ""
        yield f"{cause.kind}, {cause.functions} functions{'' if cause.reduced else '; not fully reduced (--reduce gives more time)'}"
        yield from (f"    {line}" for line in declaration(cause.function).splitlines())
        yield from (f"  {one.kind} {one.name}: {one.found}; it is {one.expected}" for one in cause.wrong)
    yield from known_lines(found.known, ())
    yield ""
    yield f"seed {found.seed}: {found.functions} functions, {found.seconds:.0f} s"


def as_json(found: Found) -> dict[str, Any]:
    """Everything as JSON values."""
    names = {True: "right", False: "wrong", None: "refused"}
    return {
        "schema": 1,
        "gdb": found.version,
        "compiler": found.compiler,
        "seed": found.seed,
        "functions": found.functions,
        "unsupported": found.unsupported,
        "seconds": round(found.seconds, 3),
        "values": {
            action.name.lower(): {name: found.counts[action, each] for each, name in names.items()}
            for action in Action
        },
        "failures": found.failures,
        "causes": [
            {
                "kind": one.kind,
                "functions": one.functions,
                "reduced": one.reduced,
                "example": declaration(one.function),
                "wrong": [msgspec.to_builtins(each) for each in one.wrong],
            }
            for one in found.causes
        ],
        "known": of_known(found.known),
    }

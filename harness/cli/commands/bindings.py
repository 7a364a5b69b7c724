"""`abiprobe check --binding`: whether a binding says what its header says, on each target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from abiprobe.harness.api.arguments import level_names, named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget, held
from abiprobe.harness.bindings.facts import Wrong
from abiprobe.harness.cli.commands.annotations import command
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.verdicts.quantity import quantity

T = TypeVar("T")
LANGUAGES = {
    ".rs": "rustc",
    ".py": "ctypes",
    ".zig": "zig-lang",
    ".d": "ldc2",
    ".c": "ldc2",
    ".i": "ldc2",
    ".h": "swift",
    ".modulemap": "swift",
}
"""The subjects that read bindings, by the endings of their files."""
OF_CFFI = re.compile(rb"^\s*(?:from|import)\s+cffi\b", re.MULTILINE)
"""A file of Python that imports cffi, whose binding it is then."""
NAMED = 6
"""Declarations that are named of those that a binding lacks."""


def check_binding(
    files: Sequence[str],
    binding: str,
    target: str,
    subjects: str | None,
    levels: str,
    form: str,
    how: ReadOptions,
) -> int:
    """Print the faults of a binding; 1 if there is one, 3 if something of the header could not be compared."""
    usual = language_of(binding)
    if usual is None:
        raise Problem(
            f"{binding} is in no language of which bindings are read", f"those are {', '.join(LANGUAGES)}"
        )
    named = named_subjects(subjects or usual)
    if len(named) != 1 or named[0].family.name != usual:
        raise Problem(
            f"{binding} is read by one {usual}", f"name it, with a version or options, by --cc: {usual}"
        )
    asked = named[0], level_names(levels)
    found = held(files, binding, named_targets(target), asked, how)
    if form == "json":
        print_json(as_json(binding, found))
    else:
        print_lines(lines(binding, found))
    if form == "github":
        said = faults(found).items()
        print_lines(command("error", (binding, one.line), words(one, clauses)) for one, (_, clauses) in said)
    return status(found)


def language_of(binding: str) -> str | None:
    """The subject that reads a binding; `None` for a file in no language that is read."""
    usual = LANGUAGES.get(Path(binding).suffix)
    with suppress(OSError):
        if usual == "ctypes" and OF_CFFI.search(Path(binding).read_bytes()):
            return "cffi"
    return usual


def status(found: Iterable[OnTarget]) -> int:
    """Return the exit status: 1 for a fault, 3 where nothing or not all that the binding has was compared."""
    every = list(found)
    if any(one.wrong for one in every):
        return 1
    return NOTHING_COMPARED if any(one.left or one.why or not one.facts + one.calls for one in every) else 0


def by_target(found: Iterable[tuple[T, str]]) -> dict[T, list[str]]:
    """The targets of each thing that is said."""
    said: dict[T, list[str]] = {}
    for one, target in found:
        said.setdefault(one, []).append(target)
    return said


def faults(found: Iterable[OnTarget]) -> dict[Wrong, tuple[list[str], list[str]]]:
    """The targets of each fault and the clauses that it breaks there, in the order of lines."""
    said: dict[Wrong, tuple[list[str], list[str]]] = {}
    for each in found:
        for one in each.wrong:
            targets, clauses = said.setdefault(msgspec.structs.replace(one, clause=""), ([], []))
            targets += [each.target] if each.target not in targets else []
            clauses += [one.clause] if one.clause and one.clause not in clauses else []
    return dict(sorted(said.items(), key=lambda pair: pair[0].line))


def words(one: Wrong, clauses: Sequence[str]) -> str:
    """A fault in words."""
    said = f"{one.what}: {one.said}" + (f", by the header {one.expected}" if one.expected else "")
    return f"{said} ({', '.join(clauses)})" if clauses else said


def lines(binding: str, found: Sequence[OnTarget]) -> Iterator[str]:
    """Yield the faults with line and targets, what could not be compared, what the binding lacks, and the numbers of what agrees."""
    for wrong, (targets, clauses) in faults(found).items():
        place = f"{binding}:{wrong.line}" if wrong.line else binding
        yield f"{place}: {words(wrong, clauses)}{on(targets, found)}"
    for (at, why, names), targets in by_target(
        (one, each.target) for each in found for one in not_compared(binding, each)
    ).items():
        yield f"not compared: {at}{first(names)}: {why}{on(targets, found)}"
    for lacking, targets in by_target((each.lacks, each.target) for each in found if each.lacks).items():
        yield f"the binding lacks {quantity(len(lacking), 'declaration')}: {first(lacking)}{on(targets, found)}"
    for (facts, calls, why), targets in by_target(
        ((each.facts, each.calls, each.why), each.target) for each in found
    ).items():
        agree = why or f"{quantity(facts, 'fact')} and {quantity(calls, 'function')} are as in the header"
        yield f"{', '.join(targets)}: {agree}"


def not_compared(binding: str, found: OnTarget) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the places and reasons of what is not compared, with the names, those of the header together."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for left in found.left:
        at = f"{binding}:{left.line}: " if left.line else ""
        places.setdefault((at, left.why), {}).setdefault(left.name)
    yield from ((at, why, tuple(names)) for (at, why), names in places.items())


def first(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def on(targets: Sequence[str], found: Sequence[OnTarget]) -> str:
    """The targets of something, where it is not so on all."""
    return "" if len(targets) == len(found) else f" [{', '.join(targets)}]"


def as_json(binding: str, found: Sequence[OnTarget]) -> dict[str, Any]:
    """Return the answers of all targets as plain values."""
    return {"schema": SCHEMA, "binding": binding, "targets": [msgspec.to_builtins(one) for one in found]}

"""The answer of the playground: layouts, places and derivation of C that is typed into a page, with nothing but Python.

No libclang is there to read C, so pycparser does. What this imports is all that the page loads.
"""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations
from abiprobe.harness.input.plain import read_plain
from abiprobe.harness.input.plain.sizes import Sizes
from abiprobe.harness.machines.register_files import listed_files
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS, UnknownTargetError, find_target
from abiprobe.results.report.explain import explain
from abiprobe.results.report.predict_text import predict_lines

NARROWEST, WIDEST = 64, 120
"""Columns of the derivation."""


class Answer(msgspec.Struct, frozen=True):
    """The contents of the page: layouts and places, the derivation and its clauses, what was skipped, or why there is no answer."""

    places: str = ""
    derivation: str = ""
    clauses: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    problem: str = ""
    hint: str = ""


def targets() -> str:
    """Return the names of the targets that have a model, as JSON."""
    return msgspec.json.encode([name for name, target in TARGETS.items() if target.modelled]).decode()


def answer(source: str, target: str, columns: int) -> str:
    """Return the answer for C and the name of a target, in a number of columns, as JSON."""
    return msgspec.json.encode(answered(source, target, columns)).decode()


def answered(source: str, target: str, columns: int = WIDEST) -> Answer:
    """Return the answer for C and the name of a target; a mistake in either is an answer, too."""
    try:
        place = find_target(target)
        found = read_plain(source, Sizes(place.model()))
        return _of(found, place, min(max(columns, NARROWEST), WIDEST))
    except UnknownTargetError:
        return Answer(problem=f"there is no target {target!r}")
    except Problem as problem:
        return Answer(problem=problem.message, hint=problem.hint)


def _of(found: Declarations, target: Target, columns: int) -> Answer:
    skipped = tuple(f"{one.where}: {one.name}: {one.reason}" for one in found.skipped)
    if not found.records and not found.functions:
        return Answer(skipped=skipped, problem="" if skipped else "no struct, union or function is declared")
    asked = target.spelling, target.model(), found.records, found.functions, listed_files(target)
    file = io.StringIO()
    clauses = explain(Console(file=file, width=columns, highlight=False, color_system=None), *asked)
    derivation = "\n".join(line.rstrip() for line in file.getvalue().splitlines())
    return Answer("\n".join(predict_lines(*asked)), derivation, clauses, skipped)

"""`abiprobe explain QUIRK` and `--as SUBJECT`: what a compiler does otherwise than the text, and where."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from abiprobe.harness.api.asking import name_of
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.input.declared import Declared
from abiprobe.harness.subjects.dialects import answer, deciding, quirks_of_subject
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Record, spelling
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.in_force import QUIRKS, dialect_of
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known.exposure import exposures, met_by

LEVEL = "O2"
"""The level at which the quirks of a compiler are asked for where none is named."""
WIDTH = 118
"""Columns of a paragraph."""


def is_quirk(name: str) -> bool:
    """Return whether this is the name of a quirk."""
    return name in QUIRKS


def explain_quirk(name: str, form: str) -> int:
    """Print what is known of a quirk, and its example."""
    quirk = QUIRKS[name]
    if form == "json":
        print_json({"schema": 1, **as_json(quirk)})
    else:
        print_lines(lines(quirk))
    return 0


def as_json(quirk: Quirk) -> dict[str, Any]:
    """A quirk as plain values."""
    return {
        "name": quirk.name,
        "targets": list(quirk.targets),
        "subjects": list(quirk.subjects),
        "sides": sorted(side.value for side in quirk.sides),
        "levels": list(quirk.levels),
        "status": quirk.status.value,
        "reason": quirk.reason,
        "link": quirk.link,
        "since": quirk.since.isoformat(),
        "example": quirk.example,
        "exposure": exposure_json(quirk.name),
    }


def exposure_json(name: str) -> dict[str, Any] | None:
    """The packages that meet a known bug as plain values; `None` where they were not counted."""
    found = exposures().get(name)
    return None if found is None else msgspec.to_builtins(found)


def lines(quirk: Quirk) -> Iterator[str]:
    """A quirk as text."""
    yield quirk.name
    yield from textwrap.wrap(quirk.reason, WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield f"  {quirk.status.value}, since {quirk.since}: {quirk.link}"
    yield f"  compilers: {', '.join(quirk.subjects)}; {sides_in_words(quirk)}"
    if met := met_by(quirk.name):
        yield f"  {met}"
    reached = [name for name in TARGETS if quirk.reaches(name)]
    yield from textwrap.wrap(
        f"targets: {', '.join(reached)}", WIDTH, initial_indent="  ", subsequent_indent="    "
    )
    yield ""
    yield from (f"  {line}" for line in quirk.example.split("\n"))
    yield ""
    yield f"  its example as the compiler has it: abiprobe explain '...' -t {reached[0]} --as SUBJECT"


def sides_in_words(quirk: Quirk) -> str:
    """The sides of a call and the levels at which a quirk shows."""
    sides = "callers and callees" if len(quirk.sides) > 1 else f"its {next(iter(quirk.sides)).value}s only"
    return f"{sides}, at {', '.join(f'-{one}' for one in quirk.levels)}" if quirk.levels else sides


def in_dialects(item: Declared, subject: str) -> Iterator[tuple[str, Declared]]:
    """Yield the declarations of a target as a compiler's dialect has them, with a title: of both sides of calls, where they differ.

    Raises `Problem` for a target without a model, and a compiler that is not installed.
    """
    if not item.target.modelled:
        raise Problem(f"{item.target}: no model, so no compiler has a dialect of it", "leave out --as")
    sides = quirks_of_subject(item.target, subject, LEVEL)
    spelled = parse_subject(subject).spelling
    dialects = {side: dialect_of(item.target, spelled, quirks) for side, quirks in sides.items()}
    answers = {side: [answer(own, one) for one in item.questions] for side, own in dialects.items()}
    alike = answers[Side.CALLER] == answers[Side.CALLEE]
    for side, own in dialects.items():
        if not (alike and side is Side.CALLEE):
            which = "" if alike else f", in its {side.value}s"
            yield f"as {spelled} has it{which}:", msgspec.structs.replace(item, target=own)


def title(question: Question) -> str:
    """The name of a function, or a record or class as it is spelled."""
    if isinstance(question, Class):
        return question.tag
    return spelling(question) if isinstance(question, Record) else name_of(question)


def departures(item: Declared, subject: str) -> Iterator[str]:
    """Yield a line for each quirk that decides a declaration, by its function or record."""
    spelled, sides = parse_subject(subject).spelling, quirks_of_subject(item.target, subject, LEVEL)
    for question in item.questions:
        name = title(question)
        shown: dict[str, list[str]] = {}
        for side, quirks in sides.items():
            for quirk in deciding(item.target, spelled, quirks, question):
                shown.setdefault(quirk.summary, []).append(side.value)
        for summary, where in shown.items():
            sides_named = "" if len(where) == len(Side) else f" ({where[0]})"
            yield f"{name}{sides_named}: {summary}"

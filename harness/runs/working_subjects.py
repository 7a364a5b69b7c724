"""Find out, before a run, that a compiler does not work: it says no version, takes nothing, or fails now and then."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.observer import Setting
from abiprobe.harness.observers.registry import serving
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.features import SIMPLEST, failure, simplest
from abiprobe.harness.subjects.find import build, identity, parse_subject, version_failure
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.results.record import Outcome

LEVEL = "O0"
TRIALS = 20
TRYING_SECONDS = 0.5
"""How often, or how long, a program is asked the same that may be another one each time."""


def require_working(subjects: Mapping[str, Iterable[str]], *, everywhere: bool) -> None:
    """Raise `Problem`, in the compiler's own words, for a subject that does not work.

    `subjects` are the spellings for each target. A subject has to compile for every target, or, unless `everywhere`, for
    one of them.
    """
    for spelling in dict.fromkeys(one for spellings in subjects.values() for one in spellings):
        targets = [target for target, spellings in subjects.items() if spelling in spellings]
        words = [why_unreliable(spelling, targets[0])]
        failing = {
            target: why for target in targets if not any(words) and (why := why_refusing(spelling, target))
        }
        if failing and (everywhere or len(failing) == len(targets)):
            target, why = next(iter(failing.items()))
            words.append(f"compiles nothing for {target}: {why}")
        for reason in filter(None, words):
            raise Problem(f"{spelling!r} {reason}")


def why_unreliable(spelling: str, target: str) -> str:
    """What is wrong with a subject whatever it compiles: its version, or that it answers now this, now that."""
    built = build(parse_subject(spelling), target, LEVEL)
    if built is None:
        return ""
    words = version_failure(built.command)
    if words:
        return f"does not tell its version: {words}"
    return "" if identity(built.command).sure else why_unsteady(built)


def why_unsteady(built: Built) -> str:
    """How often a program that is not known by its files fails at a unit that it takes at other times."""
    failures, tried, until = [], 0, time.monotonic() + TRYING_SECONDS
    with temporary() as folder:
        while tried < TRIALS and (tried < 2 or time.monotonic() < until):
            output = Path(folder, f"{tried}.o")
            done = compile_unit(built, simplest(built), output, Limits(), 1)
            tried += 1
            if done.outcome is not Outcome.OBSERVED:
                failures.append(done.words)
            if len(failures) == tried > 1:
                return ""
    return (
        f"fails now and then, {len(failures)} times of {tried} at the same unit: {failures[0]}"
        if failures
        else ""
    )


def why_refusing(spelling: str, target: str) -> str:
    """The words of a subject that cannot compile even the simplest units for a target; empty if it can."""
    subject = parse_subject(spelling)
    built, observer = build(subject, target, LEVEL), serving(target, subject, calls=False)
    if built is None or observer is None:
        return ""
    return failure(observer(Setting(target)).lacks(built)) or why_not_lowered(subject, built)


def why_not_lowered(subject: Subject, built: Built) -> str:
    """The words of a compiler that does not have the lowering of a subject though it takes the option for it."""
    lowering = subject.family.lowerings.get(subject.lowering)
    if lowering is None or not lowering.proof:
        return ""
    with temporary() as folder:
        proving = msgspec.structs.replace(built, command=(*built.command, *lowering.proof))
        done = compile_unit(proving, SIMPLEST, Path(folder, "unit.s"), Limits(), 1)
    return "" if done.outcome is Outcome.OBSERVED else done.words

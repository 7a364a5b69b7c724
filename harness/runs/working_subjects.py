"""Find out, before a run, that a compiler does not work: it says no version, takes nothing, or fails now and then."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.observers.registry import serving
from abiprobe.harness.subjects.compile import Limits, compile_unit
from abiprobe.harness.subjects.features import SIMPLEST, failure, simplest
from abiprobe.harness.subjects.find import NotStartedError, build, identity, version_failure
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Unusable
from abiprobe.results.verdicts.record import Outcome

FEW = 4
"""So many subjects are named in a line."""
LEVEL = "O0"
SAID = ", and the exit status says so"
ABSENT = "is not installed"
NO_BUILDER = "no compiler that was named builds for it"
TRIALS = 20
TRYING_SECONDS = 0.5
"""How often, or how long, a program is asked the same that may be another one each time."""


class Usable(msgspec.Struct, frozen=True):
    """The subjects of each target that work, and those that were named and do not, with why."""

    subjects: dict[Target, tuple[Subject, ...]]
    unusable: tuple[Unusable, ...] = ()


def usable(
    named: Sequence[Subject], subjects: Mapping[Target, Sequence[Subject]], *, everywhere: bool
) -> Usable:
    """Leave out those of the named subjects that do not work; `subjects` are those of each target.

    A subject works if it compiles for every target, or, unless `everywhere`, for one of them: it is then asked for all. Raises
    `Problem`, in the words of the first that does not work, if no other is left.
    """
    found: list[Unusable] = []
    for subject in named:
        targets = [target for target, here in subjects.items() if subject in here]
        found += unusable(subject, targets, everywhere=everywhere)
    out = {(one.subject, one.target) for one in found}
    left = {
        target: tuple(one for one in here if not {(one.spelling, target.spelling), (one.spelling, "")} & out)
        for target, here in subjects.items()
    }
    if found and not any(left.values()):
        raise Problem(f"{found[0].subject!r} {found[0].why}")
    found += [Unusable("", NO_BUILDER, target.spelling) for target, here in subjects.items() if not here]
    return Usable(left, tuple(found))


def unusable(subject: Subject, targets: Sequence[Target], *, everywhere: bool) -> Iterator[Unusable]:
    """Yield why a subject cannot be asked: for none of its targets, or for some of them."""
    name = subject.spelling
    if not targets:
        yield Unusable(name, ABSENT)
        return
    if words := why_unreliable(subject, targets[0]):
        yield Unusable(name, words)
        return
    failing = {target: why for target in targets if (why := why_refusing(subject, target))}
    if len(failing) == len(targets):
        target, why = next(iter(failing.items()))
        yield Unusable(name, f"compiles nothing for {target}: {why}")
    elif everywhere:
        for target, why in failing.items():
            yield Unusable(name, f"compiles nothing for {target}: {why}", target.spelling)


def left_out(named: Sequence[Subject], subjects: Mapping[Target, Sequence[Subject]]) -> Iterator[str]:
    """Yield, in one line if any, which subjects are left out on some targets, for which they do not build."""
    lacking = {one: [target for target in subjects if one not in subjects[target]] for one in named}
    absent = {one for one, where in lacking.items() if len(where) == len(subjects)}
    words = [
        f"{one.spelling} ({', '.join(map(str, where)) if len(where) == 1 else f'{len(where)} of {len(subjects)} targets'})"
        for one, where in lacking.items()
        if where and one not in absent
    ]
    if words:
        some = words if len(words) <= FEW else [*words[:FEW], f"{len(words) - FEW} more"]
        yield f"compilers that do not build for every target are left out there: {', '.join(some)}"


def told(found: Sequence[Unusable]) -> Iterator[str]:
    """Yield a line for each subject that is left out because it does not work, as a user reads it before the answers."""
    for one in found:
        yield (f"{one.subject!r} {one.why}: left out" if one.subject else f"{one.target}: {one.why}") + SAID


def why_unreliable(subject: Subject, target: Target) -> str:
    """Return why a subject is unreliable whatever it compiles: its version, or that its answers vary; empty if it is not."""
    built = build(subject, target, LEVEL)
    if built is None:
        return ""
    try:
        if words := version_failure(built.command):
            return f"does not tell its version: {words}"
        known = identity(built.command)
        if known.sure:
            return ""
        if known.digest != identity(built.command).digest:
            return "is another program each time: it does not tell the same version twice"
        return why_unsteady(built)
    except NotStartedError as error:
        return f"cannot be started ({error.reason})"


def why_unsteady(built: Built) -> str:
    """Return how often a program that is not known by its files fails on a unit that it accepts at other times."""
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


def why_refusing(subject: Subject, target: Target) -> str:
    """The words of a subject that cannot compile even the simplest units for a target; empty if it can."""
    built = build(subject, target, LEVEL)
    observer = serving(target, subject, Record) or serving(target, subject, Class)
    if built is None or observer is None:
        return ""
    return failure(observer(PredictionKey(target)).lacks(built)) or why_not_lowered(subject, built)


def why_not_lowered(subject: Subject, built: Built) -> str:
    """The words of a compiler that does not have the lowering of a subject though it takes the option for it."""
    lowering = subject.family.lowerings.get(subject.lowering)
    if lowering is None or not lowering.proof:
        return ""
    with temporary() as folder:
        proving = msgspec.structs.replace(built, command=(*built.command, *lowering.proof))
        done = compile_unit(proving, SIMPLEST, Path(folder, "unit.s"), Limits(), 1)
    return "" if done.outcome is Outcome.OBSERVED else done.words

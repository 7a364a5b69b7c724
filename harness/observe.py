"""Putting a batch of probes to one compiler; a probe that breaks the tool costs itself only.

Every function here accounts for each plan it was given, in order: with what was observed or with why not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from abiprobe.harness import child
from abiprobe.harness.bench import Bench
from abiprobe.harness.calls.plan import OPS_PER_PROBE, CallPlan
from abiprobe.harness.calls.seen import callee_seen, caller_seen
from abiprobe.harness.compile import Limits, classify, compile_unit, told
from abiprobe.harness.executors.replay import Died, Observation, replay
from abiprobe.harness.layouts import LayoutPlan, LayoutSeen, read_layouts
from abiprobe.harness.readers.objects import constants
from abiprobe.harness.runtime.build import TABLE, link
from abiprobe.harness.runtime.machine import Machine
from abiprobe.harness.runtime.messages import Message
from abiprobe.harness.runtime.script import Called, Entered, Paired
from abiprobe.harness.stopwatch import stage
from abiprobe.harness.suspects import suspects
from abiprobe.harness.toolchains.subject import Built
from abiprobe.harness.wording import Wording, calls_text, layouts_text, script
from abiprobe.oracles.model import RegisterConvention
from abiprobe.results.record import Outcome
from abiprobe.results.seen import CalleeSeen, CallerSeen


class Failed(msgspec.Struct, frozen=True):
    """Probes that gave no observation: why, in the tool's words, and which of a unit's probes it names."""

    outcome: Outcome
    words: str
    suspects: tuple[int, ...] = ()


class CallSeen(msgspec.Struct, frozen=True):
    """One probe's observations, a caller and a callee for each turn; either may have died.

    `answers` is what the program itself wrote.
    """

    callers: tuple[CallerSeen | Failed, ...]
    callees: tuple[CalleeSeen | Failed, ...]
    answers: tuple[Observation, ...] = ()


class Unit(msgspec.Struct, frozen=True):
    """An object file about `plans` that could be linked; `table` is what it calls its table of functions."""

    plans: tuple[CallPlan, ...]
    path: Path
    table: str


P = TypeVar("P")
S = TypeVar("S")


class Attempt(msgspec.Struct):
    """One compiler with its bench, a scratch folder, limits, and the CPU seconds that its tools have used.

    Layouts need no bench. `observe` asks for observations in words, too. `table` is what its units call
    their tables of functions; `units` are those about calls; `wording` may be shared by attempts with the same plans.
    """

    bench: Bench | None
    built: Built
    folder: Path
    limits: Limits
    table: str = TABLE
    units: list[Unit] = msgspec.field(default_factory=list)
    compile_seconds: float = 0.0
    link_seconds: float = 0.0
    run_seconds: float = 0.0
    files: int = 0
    observe: bool = False
    wording: Wording = msgspec.field(default_factory=Wording)

    def scratch(self, suffix: str) -> Path:
        """A file name of its own in the scratch folder."""
        self.files += 1
        return self.folder / f"unit{self.files}{suffix}"


def observe_calls(
    attempt: Attempt, plans: Sequence[CallPlan], text: str | None = None
) -> Iterator[tuple[CallPlan, CallSeen | Failed]]:
    """Compile, link and run the callers and callees of `plans`; `text` is their unit if it is known already."""
    return bisected(attempt, plans, _calls_together, text)


def observe_layouts(
    attempt: Attempt, plans: Sequence[LayoutPlan], text: str | None = None
) -> Iterator[tuple[LayoutPlan, LayoutSeen | Failed]]:
    """Compile the constants that ask for the layouts of `plans`, and read them."""
    return bisected(attempt, plans, _layouts_together, text)


def bisected(
    attempt: Attempt,
    plans: Sequence[P],
    together: Callable[[Attempt, Sequence[P], str | None], Sequence[S] | Failed],
    text: str | None = None,
) -> Iterator[tuple[P, S | Failed]]:
    """Try all plans together; when the tools refuse, those they name and the rest apart, down to the plan they refuse."""
    if not plans:
        return
    seen = together(attempt, plans, text)
    if not isinstance(seen, Failed):
        yield from zip(plans, seen, strict=True)
    elif len(plans) == 1:
        yield plans[0], seen
    else:
        found: dict[int, tuple[P, S | Failed]] = {}
        for part in parts(len(plans), seen.suspects):
            answers = bisected(attempt, [plans[i] for i in part], together, None)
            found.update(zip(part, answers, strict=True))
        yield from (found[i] for i in range(len(plans)))


def parts(count: int, suspects: tuple[int, ...]) -> list[Sequence[int]]:
    """How to try again so many plans that failed together: each suspect by itself, or else halves."""
    named = [i for i in suspects if i < count]
    rest = sorted(set(range(count)).difference(named))
    if named and rest:
        return [*((i,) for i in named), rest]
    return [range(count // 2), range(count // 2, count)]


def compiled(attempt: Attempt, text: str, probes: int, *options: str) -> Path | Failed:
    """The object file that the compiler makes of `text`, a unit about so many probes."""
    output = attempt.scratch(".o")
    built = msgspec.structs.replace(attempt.built, command=(*attempt.built.command, *options))
    done = compile_unit(built, text, output, attempt.limits, probes)
    attempt.compile_seconds += done.cpu_seconds
    return output if done.outcome is Outcome.OBSERVED else Failed(done.outcome, done.words, done.suspects)


def linked(attempt: Attempt, unit: Path, table: str = TABLE) -> Path | Failed:
    """The image that a unit becomes with the runtime."""
    return image_of(attempt, (unit,), table, table)


def image_of(attempt: Attempt, units: Sequence[Path], callers: str, callees: str) -> Path | Failed:
    """The image that units become with the runtime; `callers` and `callees` are their tables to use."""
    bench = attempt.bench
    assert bench is not None, "only what a target can run is linked"
    image = attempt.scratch(".elf")
    done = link(units, bench.runtime, image, bench.trusted, callers, callees)
    attempt.link_seconds += done.cpu_seconds
    return image if done.ok else unlinked(done, image, attempt.folder)


def _layouts_together(
    attempt: Attempt, plans: Sequence[LayoutPlan], text: str | None
) -> list[LayoutSeen] | Failed:
    found = compiled(attempt, text or layouts_text(plans), len(plans))
    if isinstance(found, Failed):
        return found
    with stage("read"):
        try:
            return list(read_layouts(plans, constants(found)))
        except (ValueError, KeyError, StopIteration) as error:
            return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")


def _calls_together(attempt: Attempt, plans: Sequence[CallPlan], text: str | None) -> list[CallSeen] | Failed:
    renamed = () if attempt.table == TABLE else (f"-D{TABLE}={attempt.table}",)
    found = compiled(attempt, text or calls_text(plans, attempt.wording), len(plans), *renamed)
    if isinstance(found, Failed):
        return found
    image = linked(attempt, found, attempt.table)
    if isinstance(image, Failed):
        return image
    attempt.units.append(Unit(tuple(plans), found, attempt.table))
    bench = attempt.bench
    assert bench is not None, "calls are only put to targets that can run them"
    with stage("script"):
        messages = script(plans, bench, attempt.wording)
    answers = run_image(attempt, bench, image, messages, len(plans))
    with stage("read"):
        return seen_calls(plans, answers, bench.machine, bench.registers)


def seen_calls(
    plans: Sequence[CallPlan],
    answers: Sequence[Observation],
    machine: Machine,
    registers: RegisterConvention,
) -> list[CallSeen]:
    """What the answers to the operations of `plans` show of each."""
    return [
        _one(plan, answers[i * OPS_PER_PROBE : (i + 1) * OPS_PER_PROBE], machine, registers)
        for i, plan in enumerate(plans)
    ]


def run_image(
    attempt: Attempt, bench: Bench, image: Path, messages: Sequence[Message], probes: int
) -> list[Observation]:
    """Run a script about so many probes on an image, which is removed."""
    limits = attempt.limits
    answers = replay(
        bench.executor, image, messages, bench.machine, timeout=limits.seconds(probes), memory=limits.memory
    )
    image.unlink()
    return answers


def unlinked(done: child.Exit, image: Path, folder: Path) -> Failed:
    """Why a unit could not be linked; a function of a library that the image does not have is no fault of it."""
    words, named = told(done, folder), suspects(done.stderr)
    missing = re.search(rb"undefined (?:symbol|reference)[^_\w]*(\w+)", done.stderr)
    # What the runtime wants of a unit and does not find is the compiler's failure.
    if missing and not missing[1].startswith(b"abi_"):
        return Failed(Outcome.UNSUPPORTED, f"needs the library function {missing[1].decode()}", named)
    return Failed(classify(done, image), f"link: {words}", named)


def failed(answer: Died) -> Failed:
    """A program that died, or was not run any more."""
    return Failed(Outcome.DIED if answer.ran else Outcome.NOT_RUN, answer.why)


def _one(
    plan: CallPlan, answers: Sequence[Observation], machine: Machine, registers: RegisterConvention
) -> CallSeen:
    callers: list[CallerSeen | Failed] = []
    callees: list[CalleeSeen | Failed] = []
    for number, answer in enumerate(answers):
        turn = number // 2
        match answer:
            case Died():
                (callees if number % 2 else callers).append(failed(answer))
            case Called(captures=captures) if captures != 1:
                callers.append(Failed(Outcome.DIED, f"it called {captures} times instead of once"))
            case Called():
                callers.append(caller_seen(plan, answer, machine, registers, turn))
            case Entered():
                callees.append(callee_seen(plan, answer, machine, registers, turn))
            case Paired():
                raise AssertionError("no pair was asked for")
    return CallSeen(tuple(callers), tuple(callees), tuple(answers))

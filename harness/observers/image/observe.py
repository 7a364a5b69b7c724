"""Calls in programs that run: compiled, linked with the runtime, run, and what the records of a program say.

Every function here accounts for each plan it was given, in order: with what was observed or with why not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from abiprobe.harness.base import child
from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.executors.replay import Died, Observation, replay
from abiprobe.harness.machines.languages.printer import Printer, table_text
from abiprobe.harness.machines.render.probe_markers import suspects
from abiprobe.harness.machines.runtime.build import TABLE, link, small_object
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.messages import Message, message
from abiprobe.harness.machines.runtime.script import Called, Entered, Op, Paired
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.image.decoding import callee_seen, caller_seen
from abiprobe.harness.observers.image.linkable import not_linkable
from abiprobe.harness.observers.image.marks import marks_of
from abiprobe.harness.observers.image.open_calls import ObservedOpenCall, open_calls
from abiprobe.harness.observers.image.plan import OPS_PER_PROBE, CallPlan
from abiprobe.harness.observers.image.units import Wording, calls_text, language_text, script
from abiprobe.harness.subjects.compile import classify, failure_text
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.results.verdicts.observations import ObservedCallee, ObservedCaller
from abiprobe.results.verdicts.record import Outcome

NO_CALLEE = "the language can call such a function, and cannot define one"


class ObservedCall(msgspec.Struct, frozen=True):
    """One probe's observations, a caller and a callee for each turn; either may have died.

    `answers` is what the program itself wrote. `passing` is what the callers showed up to the call, where less is known of
    what they did after it. `mark` is what the object file says in `st_other` of the callee, where that is looked at.
    """

    callers: tuple[ObservedCaller | Failed, ...]
    callees: tuple[ObservedCallee | Failed, ...]
    answers: tuple[Observation, ...] = ()
    passing: tuple[ObservedCaller | Failed, ...] = ()
    mark: int | None = None

    def of_one_side(self, side: Side) -> ObservedCall:
        """Return the observations of the callers or of the callees alone."""
        if side is Side.CALLER:
            return msgspec.structs.replace(self, callees=())
        return msgspec.structs.replace(self, callers=(), passing=())


class Unit(msgspec.Struct, frozen=True):
    """Object files about `plans`, and the `image` that they became; `table` is what they call their table of functions.

    Those plans whose numbers are in `without` have a caller and no callee.
    """

    plans: tuple[CallPlan, ...]
    paths: tuple[Path, ...]
    image: Path
    table: str
    without: frozenset[int] = frozenset()


class CallAttempt(Attempt):
    """An attempt whose programs make and take calls.

    `table` is what its units call their tables of functions; `units` are those that could be linked; `wording` may be shared
    by attempts with the same plans. `types` are what is supposed of types where the text is silent, and what
    is written. A compiler is given these `options` beside its own.
    """

    table: str = TABLE
    units: list[Unit] = msgspec.field(default_factory=list)
    wording: Wording = msgspec.field(default_factory=Wording)
    types: tuple[TypeTable, TypeTable] | None = None
    options: tuple[str, ...] = ()


def observe_calls(
    attempt: CallAttempt, plans: Sequence[CallPlan], text: str | None = None
) -> Iterator[tuple[CallPlan, ObservedCall | ObservedOpenCall | Failed]]:
    """Compile, link and run the callers and callees of `plans`; `text` is their unit if it is known already."""
    return bisected(attempt, plans, _together, text)


def linked(attempt: Attempt, table: str, *unit: Path) -> Path | Failed:
    """The image that the object files of a unit become with the runtime."""
    return image_of(attempt, unit, table, table)


def image_of(attempt: Attempt, units: Sequence[Path], callers: str, callees: str) -> Path | Failed:
    """The image that units become with the runtime; `callers` and `callees` are their tables to use."""
    bench = attempt.bench
    assert bench is not None, "only what a target can run is linked"
    image = attempt.scratch(".elf")
    done = link(units, bench.runtime, image, bench.trusted, callers, callees)
    attempt.link_seconds += done.cpu_seconds
    if done.ok:
        return image
    return not_linkable(attempt, bench, units, done) or unlinked(done, image, attempt.folder)


def _together(
    attempt: CallAttempt, plans: Sequence[CallPlan], text: str | None
) -> list[ObservedCall | ObservedOpenCall] | Failed:
    found = objects_of(attempt, plans, text)
    if isinstance(found, Failed):
        return found
    image = linked(attempt, attempt.table, *found)
    if isinstance(image, Failed):
        return image
    unit = Unit(tuple(plans), found, image, attempt.table, one_sided(attempt, plans))
    attempt.units.append(unit)
    return seen_in(attempt, unit, dict(enumerate(plans)))


def observe_compiled(
    attempt: CallAttempt, plans: Sequence[CallPlan]
) -> Iterator[tuple[CallPlan, ObservedCall | ObservedOpenCall]]:
    """Run those of `plans` whose functions an attempt has compiled for other predictions of the same questions."""
    waiting = {plan.probe: plan for plan in plans}
    for unit in attempt.units:
        numbers = {
            number: waiting.pop(before.probe)
            for number, before in enumerate(unit.plans)
            if before.probe in waiting and has_functions_of(before, waiting[before.probe])
        }
        if numbers:
            yield from zip(numbers.values(), seen_in(attempt, unit, numbers), strict=True)


def has_functions_of(one: CallPlan, other: CallPlan) -> bool:
    """Return whether two plans of a question have the same functions."""
    return (one.prototype, one.slots) == (other.prototype, other.slots)


def seen_in(
    attempt: CallAttempt, unit: Unit, plans: Mapping[int, CallPlan]
) -> list[ObservedCall | ObservedOpenCall]:
    """Run the image of a unit, and return the observation of each plan, which are given by their numbers in it."""
    bench = attempt.bench
    assert bench is not None, "calls are only put to targets that can run them"
    decided = {number: plan for number, plan in plans.items() if plan.silence is None}
    with stage("script"):
        messages = script(decided, bench, attempt.wording)
    callers = frozenset(index for index, number in enumerate(decided) if number in unit.without)
    asked = [one for number, one in enumerate(messages) if not is_left_out(number, callers)]
    answers = run_image(attempt, bench, unit.image, asked, len(plans)) if asked else []
    if callers:
        answers = filled_up(answers, len(messages), callers)
    with stage("read"):
        calls = seen_calls(list(decided.values()), answers, bench.machine, bench.registers)
        if attempt.printer is None and any(
            bench.registers.of(plan.assignment).mark for plan in decided.values()
        ):
            marks = marks_of(unit.paths[0], len(unit.plans))
            calls = [replace(one, mark=marks[number]) for number, one in zip(decided, calls, strict=True)]
        seen = iter(calls)
    open_ = iter(seen_open(attempt, bench, unit.image, plans))
    return [next(seen) if plan.silence is None else next(open_) for plan in plans.values()]


def one_sided(attempt: CallAttempt, plans: Sequence[CallPlan]) -> frozenset[int]:
    """The numbers of those plans whose functions a language can call and cannot define."""
    printer = attempt.printer
    if printer is None or printer.defines_all:
        return frozenset()
    return frozenset(number for number, plan in enumerate(plans) if not printer.defines(plan.prototype))


def is_left_out(number: int, callers: frozenset[int]) -> bool:
    """Return whether an operation enters a callee that is not there; callers and callees alternate."""
    return bool(number % 2) and number // OPS_PER_PROBE in callers


def filled_up(answers: Sequence[Observation], count: int, callers: frozenset[int]) -> list[Observation]:
    """The answers to so many operations, where those that enter a callee which is not there were not put."""
    given = iter(answers)
    return [
        Died(number, NO_CALLEE, ran=False, unsupported=True) if is_left_out(number, callers) else next(given)
        for number in range(count)
    ]


def objects_of(
    attempt: CallAttempt, plans: Sequence[CallPlan], text: str | None
) -> tuple[Path, ...] | Failed:
    """The object files of a unit: what the compiler makes of it and, of another language, its table of functions."""
    if attempt.printer is not None:
        return objects_in_language(attempt, plans, attempt.printer)
    renamed = "" if attempt.table == TABLE else f"#define {TABLE} {attempt.table}\n"
    text = renamed + (text or calls_text(plans, attempt.wording))
    found = compiled(attempt, text, len(plans), *attempt.options)
    return found if isinstance(found, Failed) else (found,)


def objects_in_language(
    attempt: CallAttempt, plans: Sequence[CallPlan], printer: Printer
) -> tuple[Path, ...] | Failed:
    """The object files of a unit in another language."""
    assert attempt.bench is not None, "calls are only put to targets that can run them"
    tag = attempt.table.removeprefix(TABLE)
    with stage("render"):
        text = language_text(plans, printer, attempt.wording, tag)
    found = compiled(attempt, text, len(plans))
    if isinstance(found, Failed):
        return found
    with stage("table"):
        without = one_sided(attempt, plans)
        table = table_text(len(plans), attempt.table, tag, without, printer.jump)
        return found, small_object(attempt.bench.machine, attempt.bench.trusted, attempt.table, table)


def seen_open(
    attempt: CallAttempt, bench: Bench, image: Path, plans: Mapping[int, CallPlan]
) -> list[ObservedOpenCall]:
    """Return the observations in an image of those plans on which the text is silent."""
    numbers = {plan.probe: number for number, plan in plans.items() if plan.silence is not None}
    if not numbers:
        return []

    def run(ops: Sequence[tuple[CallPlan, Op]]) -> list[Observation]:
        with stage("script"):
            messages = [numbered(message(op, bench.machine), numbers[plan.probe]) for plan, op in ops]
        return run_image(attempt, bench, image, messages, len(ops))

    assert attempt.types is not None, "who asks open questions says what is known of types"
    asked = [plan for plan in plans.values() if plan.silence is not None]
    with stage("trace"):
        return open_calls(asked, *attempt.types, bench.machine, bench.registers, run)


def numbered(one: Message, number: int) -> Message:
    """An operation on the caller or callee of probe `number`, or on both."""
    return one.numbered(2 * number + one.index, 2 * number + 1 if one.answer is Paired else None)


def seen_calls(
    plans: Sequence[CallPlan],
    answers: Sequence[Observation],
    machine: Machine,
    registers: RegisterConvention,
) -> list[ObservedCall]:
    """Return the observation of each of `plans` by the answers to its operations."""
    return [
        _one(plan, answers[i * OPS_PER_PROBE : (i + 1) * OPS_PER_PROBE], machine, registers)
        for i, plan in enumerate(plans)
    ]


def run_image(
    attempt: Attempt, bench: Bench, image: Path, messages: Sequence[Message], probes: int
) -> list[Observation]:
    """Run a script about so many probes on an image."""
    limits = attempt.limits
    return replay(
        bench.executor, image, messages, bench.machine, timeout=limits.seconds(probes), memory=limits.memory
    )


def unlinked(done: child.Exit, image: Path, folder: Path) -> Failed:
    """Return why a unit could not be linked; the lack of a library function in the image is no fault of the unit."""
    words, named = failure_text(done, folder), suspects(done.stderr)
    missing = re.search(rb"undefined (?:symbol|reference)[^_\w]*(\w+)", done.stderr)
    # What the runtime wants of a unit and does not find is the compiler's failure.
    if missing and not missing[1].startswith(b"abi_"):
        return Failed(Outcome.UNSUPPORTED, f"needs the library function {missing[1].decode()}", named)
    return Failed(classify(done, image), f"link: {words}", named)


def failed(answer: Died) -> Failed:
    """A program that died, or was not run any more, or not at all."""
    if answer.unsupported:
        return Failed(Outcome.UNSUPPORTED, answer.why)
    return Failed(Outcome.DIED if answer.ran else Outcome.NOT_RUN, answer.why)


def _one(
    plan: CallPlan, answers: Sequence[Observation], machine: Machine, registers: RegisterConvention
) -> ObservedCall:
    callers: list[ObservedCaller | Failed] = []
    callees: list[ObservedCallee | Failed] = []
    for number, answer in enumerate(answers):
        turn = number // 2
        match answer:
            case Died():
                (callees if number % 2 else callers).append(failed(answer))
            case Called(captures=captures) if captures not in {1, plan.slots.calls}:
                callers.append(Failed(Outcome.DIED, f"it called {captures} times instead of once"))
            case Called():
                callers.append(caller_seen(plan, answer, machine, registers, turn))
            case Entered():
                callees.append(callee_seen(plan, answer, machine, registers, turn))
            case Paired():
                raise AssertionError("no pair was asked for")
    return ObservedCall(tuple(callers), tuple(callees), tuple(answers))

"""Units compiled with debug information, linked, entered and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from abiprobe.harness.debugging.debug_info import Subprogram, subprograms
from abiprobe.harness.debugging.entering import (
    AREAS,
    CALL_SITE,
    KEPT,
    Program,
    Registers,
)
from abiprobe.harness.debugging.judging import TURN, Declared, Fact, Point, declared, fact
from abiprobe.harness.debugging.unit import KEPT as KEPT_BYTES
from abiprobe.harness.debugging.unit import OTHERS, unit
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed, compiled
from abiprobe.harness.observers.image.operations import callee_operation
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import failure_text
from abiprobe.harness.unwind.image import MEMORY, link
from abiprobe.harness.unwind.machines import RETURNS
from abiprobe.harness.unwind.stepping import HOME, STUB_BYTES, STUBS
from abiprobe.oracles.unwinding.locations import Frame, on_top
from abiprobe.oracles.unwinding.registers import UNWINDING
from abiprobe.results.verdicts.record import Outcome

DEBUG = ("-g",)
CALLED = {name: STUBS + STUB_BYTES * number for number, name in enumerate((*OTHERS, *MEMORY))}
SET = {STUBS + STUB_BYTES * number: name for number, name in enumerate((*OTHERS, *MEMORY)) if name in MEMORY}
SYMBOLS = {**CALLED, "given": AREAS, "kept": KEPT}


class Answer(msgspec.Struct, frozen=True):
    """Everything that is said of one function; `other` are parameters that it did not keep as they were passed.

    Of those nothing is told here: the call is another one than the text's.
    """

    facts: tuple[Fact, ...] = ()
    declared: tuple[Declared, ...] = ()
    other: tuple[str, ...] = ()


def answers(attempt: Attempt, plans: Sequence[CallPlan], _text: str | None) -> list[Answer | Failed] | Failed:
    """Compile, link and look at a unit."""
    assert attempt.bench is not None, "programs run"
    found = compiled(attempt, unit([plan.prototype for plan in plans]), len(plans), *DEBUG)
    if isinstance(found, Failed):
        return found
    image = attempt.scratch("")
    linked = link(found, image, attempt.bench.trusted, SYMBOLS)
    if not linked.ok:
        return Failed(Outcome.REFUSED, failure_text(linked, attempt.folder))
    try:
        functions = subprograms(image)
    except UnreadError as error:
        return Failed(Outcome.UNDECODED, str(error))
    machine = attempt.bench.machine
    program = Program(image, machine, RETURNS[machine.name], SET)
    return [
        answer(program, functions[f"f{number}"], plan, attempt.bench)
        if f"f{number}" in functions
        else Failed(Outcome.UNSUPPORTED, "the compiler writes no debug information about it")
        for number, plan in enumerate(plans)
    ]


def answer(program: Program, function: Subprogram, plan: CallPlan, bench: Bench) -> Answer:
    """Enter a function and look at its parameters at each point."""
    machine = bench.machine
    unwinding = UNWINDING[machine.name]
    program.enter(callee_operation(plan, 0, machine, bench.registers, TURN), unwinding.link)
    entry = Registers(program.uc, machine, program.identities, program.now.all())
    facts: list[Fact] = []

    def look(point: Point, address: int, now: Registers) -> None:
        base = partial(frame_base, function, now, entry, bits=machine.pointer * 8)
        frame = Frame(now, entry, CALL_SITE + unwinding.above, base, machine.pointer * 8)
        facts.extend(
            fact(point, address, plan, index, parameter, frame)
            for index, parameter in enumerate(function.parameters[: len(plan.prototype.params)])
        )

    look(Point.ENTRY, function.start, program.now)
    at: int | None = function.start
    if function.breakpoint != function.start:
        at = program.go(function.start, frozenset({function.breakpoint}))
    skipped = at is None
    if at is not None:
        look(Point.BREAKPOINT, at, program.now)
        at = program.go(at, frozenset(one for one in CALLED.values() if one not in SET))
        if at is not None:
            back, now = caller(program, unwinding.link)
            if function.start < back <= function.end:
                look(Point.CALL, back - 1, now)
            program.go(at, frozenset({HOME}))
    other = [
        passed.name
        for number, passed in enumerate(plan.assignment.params[: len(plan.prototype.params)])
        if not arrived(program, plan, number)
    ]
    told = tuple(one for one in facts if one.name not in other)
    return Answer(told, tuple(declared(function, plan, skipped=skipped and not other)), tuple(other))


def arrived(program: Program, plan: CallPlan, number: int) -> bool:
    """Return whether a function that has run kept the value of a parameter that was passed."""
    passed, value = plan.assignment.params[number], plan.turns[TURN].values[number]
    found = program.kept(number, KEPT_BYTES, passed.size)
    return not any((one ^ other) & mask for one, other, mask in zip(value, found, passed.mask, strict=True))


def caller(program: Program, link: str) -> tuple[int, Registers]:
    """The return address of a call that has just been made, and the state of its caller."""
    machine, uc = program.machine, program.uc
    if link:
        return uc.reg_read(program.identities[link]), program.now
    numbers = UNWINDING[machine.name].numbers
    sp = program.now.register(numbers[machine.sp])
    moved = {numbers[machine.sp]: (sp + machine.return_address).to_bytes(machine.word, machine.order)}
    return program.now.word(sp), Registers(uc, machine, program.identities, moved)


def frame_base(function: Subprogram, now: Registers, entry: Registers, *, bits: int) -> int:
    """The address of a function's frame base (DWARF 5, 3.3.5)."""
    match function.frame_base:
        case [(name, ())] if name.startswith("DW_OP_reg") and name[9:].isdigit():
            return now.register(int(name[9:]))
        case operations:
            above = UNWINDING[now.machine.name].above
            frame = Frame(now, entry, CALL_SITE + above, lambda: 0, bits)
            return on_top(operations, frame)

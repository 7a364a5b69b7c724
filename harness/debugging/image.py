"""Units compiled with debug information, linked, entered and looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from abiprobe.harness.debugging.debug_info import Subprogram, subprograms
from abiprobe.harness.debugging.entering import (
    AREAS,
    ARGUMENTS,
    CALL_SITE,
    KEPT,
    AfterCall,
    Program,
    Registers,
)
from abiprobe.harness.debugging.judging import TURN, Declared, Fact, Point, declared, fact, passed_on
from abiprobe.harness.debugging.unit import KEPT as KEPT_BYTES
from abiprobe.harness.debugging.unit import OTHERS, returns, unit
from abiprobe.harness.machines.readers.unread import UnreadError
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Attempt, Failed, compiled
from abiprobe.harness.observers.image.operations import callee_operation
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import failure_text
from abiprobe.harness.unwind.image import MEMORY, link
from abiprobe.harness.unwind.machines import RETURNS
from abiprobe.harness.unwind.stepping import STUB_BYTES, STUBS
from abiprobe.oracles.unwinding.locations import Frame, on_top
from abiprobe.oracles.unwinding.registers import DEBUGGED, UNWINDING
from abiprobe.results.verdicts.record import Outcome

DEBUG = ("-g",)
CALLED = {name: STUBS + STUB_BYTES * number for number, name in enumerate((*OTHERS, *MEMORY))}
SET = {STUBS + STUB_BYTES * number: name for number, name in enumerate((*OTHERS, *MEMORY)) if name in MEMORY}
CALLS = {address: name for name, address in CALLED.items()}
STOPS = frozenset(CALLED[name] for name in OTHERS)
PASSED = {"look": 1, "pass": 2}
"""The functions of another unit that have parameters, and how many, each in a register."""
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

    def framed(now: Registers) -> Frame:
        base = partial(frame_base, function, now, entry, bits=machine.pointer * 8)
        return Frame(now, entry, CALL_SITE + unwinding.above, base, machine.pointer * 8)

    def look(point: Point, address: int, now: Registers) -> None:
        facts.extend(
            fact(point, address, plan, index, parameter, framed(now))
            for index, parameter in enumerate(function.parameters[: len(plan.prototype.params)])
        )

    look(Point.ENTRY, function.start, program.now)
    at: int | None = function.start
    if function.breakpoint != function.start:
        at = program.go(function.start, frozenset({function.breakpoint}))
    skipped = at is None
    if at is not None:
        look(Point.BREAKPOINT, at, program.now)
        first = True
        while (at := program.go(at, STOPS)) is not None:
            back, now, after = caller(program, bench)
            if function.start < back <= function.end:
                if first:
                    look(Point.CALL, back - 1, now)
                facts.extend(passed(program, function, CALLS[at], back, framed(after)))
            first = False
            if at == CALLED["stop"]:
                break
    other = [
        passed.name
        for number, passed in enumerate(plan.assignment.params[: len(plan.prototype.params)])
        if not arrived(program, plan, number)
    ]
    told = tuple(one for one in facts if one.name not in other)
    said = declared(function, plan, skipped=skipped and not other, returns=returns(plan.prototype))
    return Answer(told, tuple(said), tuple(other))


def passed(program: Program, function: Subprogram, called: str, back: int, frame: Frame) -> Iterator[Fact]:
    """The registers in which a call that returns to an address passes parameters, by the entry of the call; nothing without one."""
    machine = program.machine
    site = next((one for one in function.calls if one.returns == back), None)
    if site is None:
        return
    for name in ARGUMENTS[machine.name][: PASSED.get(called, 0)]:
        number = DEBUGGED[machine.name][name]
        held = program.now.contents(number)
        yield passed_on(number, site.values.get(number), held, f"{called}, {name}", frame)


def arrived(program: Program, plan: CallPlan, number: int) -> bool:
    """Return whether a function that has run kept the value of a parameter that was passed."""
    passed, value = plan.assignment.params[number], plan.turns[TURN].values[number]
    found = program.kept(number, KEPT_BYTES, passed.size)
    return not any((one ^ other) & mask for one, other, mask in zip(value, found, passed.mask, strict=True))


def caller(program: Program, bench: Bench) -> tuple[int, Registers, Registers]:
    """The return address of a call that has just been made, the state of its caller, and what the call leaves of that."""
    machine, now = program.machine, program.now
    numbers, link = DEBUGGED[machine.name], UNWINDING[machine.name].link
    sp = now.register(numbers[machine.sp]) + machine.return_address
    moved = {numbers[machine.sp]: sp.to_bytes(machine.word, machine.order)}
    before = Registers(program.uc, machine, program.identities, moved)
    after = AfterCall(program.uc, machine, program.identities, moved)
    after.preserved = frozenset(one.register for one in bench.registers.preserved)
    back = now.register(numbers[link]) if link else now.word(sp - machine.return_address)
    return back, before, after


def frame_base(function: Subprogram, now: Registers, entry: Registers, *, bits: int) -> int:
    """The address of a function's frame base (DWARF 5, 3.3.5)."""
    match function.frame_base:
        case [(name, ())] if name.startswith("DW_OP_reg") and name[9:].isdigit():
            return now.register(int(name[9:]))
        case operations:
            above = UNWINDING[now.machine.name].above
            frame = Frame(now, entry, CALL_SITE + above, lambda: 0, bits)
            return on_top(operations, frame)

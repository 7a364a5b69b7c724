"""Calls of a foreign function library, made and taken beside the runtime's driver, which captures and loads registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.executors.replay import Died, Observation, observe
from abiprobe.harness.machines.render.c import declare, definitions, pointer_to, prototype
from abiprobe.harness.machines.render.cdef import cdefs_of
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.script import Enter, Op, Pair
from abiprobe.harness.machines.workbench import Bench
from abiprobe.harness.observers.attempt import Failed, bisected
from abiprobe.harness.observers.foreign.build import shared_runtime
from abiprobe.harness.observers.image.observe import CallAttempt, ObservedCall, seen_calls
from abiprobe.harness.observers.image.open_calls import ObservedOpenCall, open_calls
from abiprobe.harness.observers.image.operations import operations
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import WORDS, error_line
from abiprobe.oracles.language.lang import Record, strip
from abiprobe.results.verdicts.record import Outcome

NOT_READY = 70
"""The exit status of a child that did not come to its script."""
CAN, SERVE = "--can", "--serve"
"""Requests to the program of a library."""
PATIENCE = 4
"""Times as long as a compiled unit may take: a child reads every declaration, in Python, before it answers."""
OWN_MEMORY = 8 << 30
"""Bytes of address space that Python, libffi and what they load may have."""


class LibraryProcess(msgspec.Struct, frozen=True):
    """Runs scripts in a process of the library's: the image is the runtime as a shared library."""

    machine: str
    questions: Path
    command: tuple[str, ...]
    name: str = "library"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `script`; `timeout` in seconds, `memory` in bytes of address space, of which Python has its own share."""
        limit = None if memory is None else max(memory, OWN_MEMORY)
        done = child.run(
            (*self.command, SERVE, str(self.questions), str(image)),
            stdin=script,
            timeout=timeout,
            memory=limit,
        )
        if done.returncode == NOT_READY:
            raise Problem("the process beside the library cannot be set up", error_line(done.stderr))
        return done


class Sides(msgspec.Struct, frozen=True, array_like=True):
    """The reasons why a library cannot make a call, and why it cannot take it; empty if it can."""

    call: str
    callback: str


class Able(msgspec.Struct, frozen=True):
    """A plan whose call a library can make, and why it cannot take it, if it cannot."""

    plan: CallPlan
    no_callback: str = ""


def observe_foreign(
    attempt: CallAttempt, plans: Sequence[CallPlan]
) -> Iterator[tuple[CallPlan, ObservedCall | ObservedOpenCall | Failed]]:
    """The calls that the library makes and takes; what it cannot express is unsupported, in its own words."""
    able: list[Able] = []
    for plan, sides in bisected(attempt, plans, _asked):
        if isinstance(sides, Failed):
            yield plan, sides
        elif sides.call or (plan.silence is not None and sides.callback):
            # What nobody decides is shown of a call and a callback together.
            yield plan, Failed(Outcome.UNSUPPORTED, (sides.call or sides.callback)[:WORDS])
        else:
            able.append(Able(plan, sides.callback[:WORDS]))
    for one, seen in bisected(attempt, able, _together):
        yield one.plan, seen


def question(
    plan: CallPlan, suffix: str = "", *, char_signed: bool = True, taken: bool = True
) -> dict[str, Any]:
    """Return the question for the child about a prototype: definitions with their settings, names for its types, slots.

    For other children it is there as C with attributes (`text`), in which its names end with `suffix`, and its types as
    `abiprobe.oracles.language.lang` writes them, those of unnamed arguments last. `char_signed` says
    how a char is widened, `taken` asks for a callback as well as for a call.
    """
    function, slots = plan.prototype, plan.slots
    types = {f"abi_param{index}": param.type for index, param in enumerate(function.params)}
    if function.result is not None:
        types["abi_result"] = function.result
    names = "".join(f"typedef {declare(c_type, name)};\n" for name, c_type in types.items())
    settings = [
        (part.text, {"packed": True} if part.packed else {} if part.pack is None else {"pack": part.pack})
        for part in cdefs_of(tuple(types.values()))
    ]
    # Of a variadic function only the named parameters are declared; cffi then says that it has no such callbacks.
    named = len(function.params)
    own = [passed.size for passed in plan.assignment.params]
    result = plan.assignment.result
    arguments = [_slot(slot, size) for slot, size in zip(slots.params, own, strict=True)]
    used = [argument.type for argument in function.arguments]
    return {
        "definitions": settings,
        "text": definitions(tuple(filter(None, (*used, function.result))), suffix),
        "pointer": pointer_to(function, suffix),
        "function": f"{names}typedef {prototype(function, name='abi_function')};",
        "types": used,
        "names": [declare(c_type, "", suffix) for c_type in used],
        "pointers": [declare(c_type, "*", suffix) for c_type in used],
        "records": [isinstance(strip(c_type), Record) for c_type in used],
        "returns": function.result,
        "returned": function.result and declare(function.result, "", suffix),
        "returned_pointer": function.result and declare(function.result, "*", suffix),
        "variadic": function.variadic,
        "unnamed": len(function.unnamed),
        "char_signed": char_signed,
        "taken": taken,
        "arguments": arguments,
        "params": arguments[:named],
        "result": _slot(slots.result, result.size) if slots.result and result else None,
        "live": [{"offset": slot.offset, "size": slot.size} for slot in slots.live],
    }


def _slot(slot: Slot, own: int) -> dict[str, int]:
    return {"offset": slot.offset, "narrow": slot.narrow, "own": own}


def _asked(attempt: CallAttempt, plans: Sequence[CallPlan], _text: str | None) -> list[Sides] | Failed:
    """Return the reasons why the library cannot express each prototype."""
    path = _written(attempt, [Able(plan) for plan in plans])
    timeout = PATIENCE * attempt.limits.seconds(len(plans))
    done = child.run((*attempt.built.command, CAN, str(path)), timeout=timeout, memory=OWN_MEMORY)
    attempt.run_seconds += done.cpu_seconds
    if done.timed_out:
        return Failed(Outcome.TIMED_OUT, "")
    if not done.ok:
        return Failed(Outcome.CRASHED, done.signal or error_line(done.stderr))
    said = [msgspec.json.decode(line, type=str | Sides) for line in done.stdout.splitlines()]
    return [Sides(one, one) if isinstance(one, str) else one for one in said]


def _together(
    attempt: CallAttempt, able: Sequence[Able], _text: str | None
) -> list[ObservedCall | ObservedOpenCall] | Failed:
    bench = attempt.bench
    assert bench is not None, "calls are only put to targets that can run them"
    executor = LibraryProcess(bench.machine.name, _written(attempt, able), attempt.built.command)
    timeout = PATIENCE * attempt.limits.seconds(len(able))
    numbers = {one.plan.probe: number for number, one in enumerate(able)}

    def run(asked: Sequence[tuple[CallPlan, Op]]) -> list[Observation]:
        ops = [numbered(op, numbers[plan.probe]) for plan, op in asked]
        return observe(executor, shared_runtime(bench), ops, bench.machine, timeout=timeout) if ops else []

    decided = [one for one in able if one.plan.silence is None]
    silent = [one.plan for one in able if one.plan.silence is not None]
    seen = iter(_decided(decided, bench, run))
    assert attempt.types is not None, "who asks calls says what is known of types"
    # Whoever leaves libffi in the middle of a call leaves Python there, too.
    open_ = iter(
        open_calls(silent, *attempt.types, bench.machine, bench.registers, run, leaves=False)
        if silent
        else ()
    )
    return [next(seen) if one.plan.silence is None else next(open_) for one in able]


def _decided(
    able: Sequence[Able], bench: Bench, run: Callable[[Sequence[tuple[CallPlan, Op]]], list[Observation]]
) -> list[ObservedCall]:
    """Return the observations of plans on which the text is not silent; a callback that is not available is not asked for."""
    ops = [(one, op) for one in able for op in operations(one.plan, 0, bench.machine, bench.registers)]
    answers = iter(run([(one.plan, op) for one, op in ops if not _unasked(one, op)]))
    all_answers: list[Observation] = [
        Died(op.index, one.no_callback, ran=False, unsupported=True) if _unasked(one, op) else next(answers)
        for one, op in ops
    ]
    return seen_calls([one.plan for one in able], all_answers, bench.machine, bench.registers)


def _unasked(one: Able, op: Op) -> bool:
    return bool(one.no_callback) and isinstance(op, Enter)


def numbered(op: Op, number: int) -> Op:
    """An operation on the caller or callee of question `number`, or on both."""
    if isinstance(op, Pair):
        return msgspec.structs.replace(op, index=2 * number + op.index, callee=2 * number + op.callee)
    return msgspec.structs.replace(op, index=2 * number + op.index)


def _written(attempt: CallAttempt, able: Sequence[Able]) -> Path:
    assert attempt.types is not None, "who asks calls says what is known of types"
    signed = attempt.types[0].data.char_signed
    asked = [
        question(one.plan, f"_{number}", char_signed=signed, taken=not one.no_callback)
        for number, one in enumerate(able)
    ]
    return attempt.written(".json", msgspec.json.encode(asked).decode())

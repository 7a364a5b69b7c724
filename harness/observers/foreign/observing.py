"""Calls of a foreign function library, made and taken beside the runtime's driver, which captures and loads registers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.executors.replay import Observation, observe
from abiprobe.harness.machines.render.c import declare, prototype
from abiprobe.harness.machines.render.cdef import cdefs_of
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.script import Op, Pair
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.foreign.build import shared_runtime
from abiprobe.harness.observers.image.observe import CallAttempt, ObservedCall, seen_calls
from abiprobe.harness.observers.image.open_calls import ObservedOpenCall, open_calls
from abiprobe.harness.observers.image.operations import operations
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import WORDS, error_line
from abiprobe.results.record import Outcome

CHILD = Path(__file__).with_name("child.py")
# By path, and without its folder on sys.path, where modules of ours would hide others.
COMMAND = (sys.executable, "-P", str(CHILD))
NOT_READY = 70
"""The exit status of a child that did not come to its script."""
PATIENCE = 4
"""Times as long as a compiled unit may take: a child reads every declaration, in Python, before it answers."""
OWN_MEMORY = 8 << 30
"""Bytes of address space that Python, libffi and what they load may have."""


class Beside(msgspec.Struct, frozen=True):
    """Runs scripts in a process of the library's: the image is the runtime as a shared library."""

    machine: str
    questions: Path
    name: str = "cffi"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `script`; `timeout` in seconds, `memory` in bytes of address space, of which Python has its own share."""
        limit = None if memory is None else max(memory, OWN_MEMORY)
        argv = (*COMMAND, str(image), str(self.questions))
        done = child.run(argv, stdin=script, timeout=timeout, memory=limit)
        if done.returncode == NOT_READY:
            raise Problem("the process beside libffi cannot be set up", error_line(done.stderr))
        return done


def observe_foreign(
    attempt: CallAttempt, plans: Sequence[CallPlan]
) -> Iterator[tuple[CallPlan, ObservedCall | ObservedOpenCall | Failed]]:
    """The calls that the library makes and takes; what it cannot express is unsupported, in its own words."""
    able = []
    for plan, words in bisected(attempt, plans, _asked):
        if not words:
            able.append(plan)
        else:
            yield plan, words if isinstance(words, Failed) else Failed(Outcome.UNSUPPORTED, words[:WORDS])
    yield from bisected(attempt, able, _together)


def question(plan: CallPlan) -> dict[str, Any]:
    """What the child is told about a prototype: definitions with their settings, names for its types, slots."""
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
    own = [passed.size for passed in plan.assignment.params[:named]]
    result = plan.assignment.result
    return {
        "definitions": settings,
        "function": f"{names}typedef {prototype(function, name='abi_function')};",
        "params": [_slot(slot, size) for slot, size in zip(slots.params[:named], own, strict=True)],
        "result": _slot(slots.result, result.size) if slots.result and result else None,
        "live": [{"offset": slot.offset, "size": slot.size} for slot in slots.live],
    }


def _slot(slot: Slot, own: int) -> dict[str, int]:
    return {"offset": slot.offset, "narrow": slot.narrow, "own": own}


def _asked(attempt: Attempt, plans: Sequence[CallPlan], _text: str | None) -> list[str] | Failed:
    """Why cffi cannot express each prototype, or empty strings."""
    path = _written(attempt, plans)
    limits = attempt.limits
    done = child.run((*COMMAND, str(path)), timeout=PATIENCE * limits.seconds(len(plans)), memory=OWN_MEMORY)
    attempt.run_seconds += done.cpu_seconds
    if done.timed_out:
        return Failed(Outcome.TIMED_OUT, "")
    if not done.ok:
        return Failed(Outcome.CRASHED, done.signal or error_line(done.stderr))
    return [msgspec.json.decode(line, type=str) for line in done.stdout.splitlines()]


def _together(
    attempt: CallAttempt, plans: Sequence[CallPlan], _text: str | None
) -> list[ObservedCall | ObservedOpenCall] | Failed:
    bench = attempt.bench
    assert bench is not None, "calls are only put to targets that can run them"
    executor = Beside(bench.machine.name, _written(attempt, plans))
    timeout = PATIENCE * attempt.limits.seconds(len(plans))
    numbers = {plan.probe: number for number, plan in enumerate(plans)}

    def run(asked: Sequence[tuple[CallPlan, Op]]) -> list[Observation]:
        ops = [numbered(op, numbers[plan.probe]) for plan, op in asked]
        return observe(executor, shared_runtime(bench), ops, bench.machine, timeout=timeout) if ops else []

    decided = [plan for plan in plans if plan.silence is None]
    silent = [plan for plan in plans if plan.silence is not None]
    answers = run(
        [(plan, op) for plan in decided for op in operations(plan, 0, bench.machine, bench.registers)]
    )
    seen = iter(seen_calls(decided, answers, bench.machine, bench.registers))
    assert attempt.types is not None, "who asks open questions says what is known of types"
    # Whoever leaves libffi in the middle of a call leaves Python there, too.
    open_ = iter(
        open_calls(silent, *attempt.types, bench.machine, bench.registers, run, leaves=False)
        if silent
        else ()
    )
    return [next(seen) if plan.silence is None else next(open_) for plan in plans]


def numbered(op: Op, number: int) -> Op:
    """An operation on the caller or callee of question `number`, or on both."""
    if isinstance(op, Pair):
        return msgspec.structs.replace(op, index=2 * number + op.index, callee=2 * number + op.callee)
    return msgspec.structs.replace(op, index=2 * number + op.index)


def _written(attempt: Attempt, plans: Sequence[CallPlan]) -> Path:
    return attempt.written(".json", msgspec.json.encode([question(plan) for plan in plans]).decode())

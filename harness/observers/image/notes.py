"""Observations in the words of a report: what the first turn of each probe showed."""

from __future__ import annotations

from collections.abc import Mapping

from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.text.place import Hidden, Passed, Register
from abiprobe.results.journal.journal import Observed
from abiprobe.results.verdicts.observations import ObservedCallee, ObservedCaller


def note_call(plan: CallPlan, seen: ObservedCall) -> Observed:
    """The registers and stack that the caller filled, what the callee read, and the result on both sides."""
    caller, callee = seen.callers[0], seen.callees[0]
    return Observed(
        plan.probe,
        caller=_caller(plan, caller) if isinstance(caller, ObservedCaller) else {"died": caller.words},
        callee=_callee(plan, callee) if isinstance(callee, ObservedCallee) else {"died": callee.words},
    )


def _caller(plan: CallPlan, seen: ObservedCaller) -> dict[str, object]:
    bounded = tuple(one for one in plan.assignment.hidden if one.bounds is not None)
    return {
        "registers": _registers(seen.frame.block, seen.frame.slots, (*plan.assignment.params, *bounded)),
        "stack": seen.frame.stack.hex(),
        "memory": {
            passed.name: memory.hex()
            for passed, memory in zip(plan.assignment.params, seen.memory, strict=True)
            if memory is not None
        },
        "result": seen.result.hex(),
    }


def _callee(plan: CallPlan, seen: ObservedCallee) -> dict[str, object]:
    results = () if plan.assignment.result is None else (plan.assignment.result,)
    return {
        "params": {
            passed.name: value.hex()
            for passed, value in zip(plan.assignment.params, seen.params, strict=True)
        },
        "registers": _registers(seen.frame.block, seen.frame.slots, results),
        "memory": seen.result_memory.hex(),
    }


def _registers(
    block: bytes, slots: Mapping[str, tuple[int, int]], values: tuple[Passed | Hidden, ...]
) -> dict[str, str]:
    """The contents of the registers that the prediction names."""
    names = [
        piece.place.name for passed in values for piece in passed.pieces if isinstance(piece.place, Register)
    ]
    found = {}
    for name in names:
        at, width = slots[name]
        found[name] = block[at : at + width].hex()
    return found

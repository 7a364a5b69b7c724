"""Observations in the words of a report: what the first turn of each probe showed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.observe import CallSeen
from abiprobe.oracles.place import Passed, Register
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.journal import Observed
from abiprobe.results.seen import CalleeSeen, CallerSeen
from abiprobe.results.witnesses import Shown


def note_layout(probe: str, shown: Mapping[ProbeKind, Shown]) -> Observed:
    """Size and alignment in bytes, bit offset and width of each member that was asked for, by each witness."""
    layout, debug_info, values = (
        _layout(shown[kind]) if kind in shown else None
        for kind in (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO, ProbeKind.VALUES)
    )
    return Observed(probe, layout=layout, debug_info=debug_info, values=values)


def _layout(shown: Shown) -> dict[str, Any]:
    members = [
        {"path": path, "bit_offset": at, "bit_width": width} for path, (at, width) in shown.places.items()
    ]
    align = {} if shown.align is None else {"align": shown.align}
    return {"size": shown.size, **align, "members": members}


def note_call(plan: CallPlan, seen: CallSeen) -> Observed:
    """The registers and stack that the caller filled, what the callee read, and the result on both sides."""
    caller, callee = seen.callers[0], seen.callees[0]
    return Observed(
        plan.probe,
        caller=_caller(plan, caller) if isinstance(caller, CallerSeen) else {"died": caller.words},
        callee=_callee(plan, callee) if isinstance(callee, CalleeSeen) else {"died": callee.words},
    )


def _caller(plan: CallPlan, seen: CallerSeen) -> dict[str, object]:
    return {
        "registers": _registers(seen.frame.block, seen.frame.slots, plan.assignment.params),
        "stack": seen.frame.stack.hex(),
        "memory": {
            passed.name: memory.hex()
            for passed, memory in zip(plan.assignment.params, seen.memory, strict=True)
            if memory is not None
        },
        "result": seen.result.hex(),
    }


def _callee(plan: CallPlan, seen: CalleeSeen) -> dict[str, object]:
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
    block: bytes, slots: Mapping[str, tuple[int, int]], values: tuple[Passed, ...]
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

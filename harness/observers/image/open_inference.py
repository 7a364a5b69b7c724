"""One call about which the text is silent, under inference: what is asked of it, and what is known of the answers."""

from __future__ import annotations

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.executors.replay import Died
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Enter, Paired
from abiprobe.harness.observers.image.parts import RESULT, ValuePart, parts_of, turns_to_tell
from abiprobe.harness.observers.image.pieces import Held
from abiprobe.harness.observers.image.plan import BLOB_ALIGN, CallPlan, turn_of
from abiprobe.harness.observers.image.tracing import Address, State, addresses
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.results.verdicts.observations import Turn

MARGIN = 64
"""Bytes of the stack, beside the room that all arguments take, in which one may be."""
PEEKED = 1 << 17
"""Bytes that may be recorded of what addresses lead to."""


class Inference(msgspec.Struct):
    """The inference about one open plan: states and answers by turn, `None` until they are known."""

    plan: CallPlan
    turns: tuple[Turn, ...]
    """those of the plan, and more where a part has few bits"""
    parts: tuple[ValuePart, ...]
    places: tuple[Address, ...]
    window: int
    room: int
    followed: bool = True
    """whether `places` are all that may hold an address"""
    passed: tuple[State, ...] | None = None
    """at the call"""
    leading: tuple[Address, ...] = ()
    """the places that held an address in every turn"""
    entered: tuple[Enter, ...] = ()
    """how the callee is entered"""
    given: tuple[State, ...] = ()
    """what it was entered with"""
    read: tuple[bytes, ...] | None = None
    """what the callee then stored of its parameters"""
    left: tuple[State, ...] | None = None
    """what it left"""
    found: dict[tuple[int, int], tuple[Held, ...]] = {}
    """where it left each part of its result, by the first byte of the part and the one behind it"""
    pops: int = 0
    returned: tuple[State, ...] = ()
    """what the caller was given back"""
    taken: tuple[bytes, ...] | None = None
    """what it then took for the result"""
    arrived: tuple[Paired | Died, ...] = ()
    failure: str = ""


def infer(plan: CallPlan, types: TypeTable, written: TypeTable, machine: Machine) -> Inference:
    """An open plan with what must be known of it to ask."""
    values = (*plan.assignment.params, *(() if plan.assignment.result is None else (plan.assignment.result,)))
    area = sum(round_up(one.size, 16) for one in plan.assignment.params) + machine.linkage + MARGIN
    room = round_up(max((one.size for one in values), default=0), BLOB_ALIGN)
    places = addresses(machine, area)
    fitting = PEEKED // 4 // max(room, 1)
    parts, window = parts_of(plan, types, written), machine.return_address + area
    turns = (
        *plan.turns,
        *(
            turn_of(types, plan.prototype, plan.assignment, plan.slots, turn)
            for turn in range(len(TURNS), turns_to_tell(parts))
        ),
    )
    return Inference(plan, turns, parts, places[:fitting], window, room, followed=fitting >= len(places))


def result_parts(one: Inference) -> tuple[ValuePart, ...]:
    """The parts of the result."""
    return tuple(part for part in one.parts if part.value == RESULT)


def results(one: Inference) -> tuple[bytes, ...]:
    """The result of each turn."""
    return tuple(turn.result or b"" for turn in one.turns)

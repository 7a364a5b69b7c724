"""The bundle of a call that no text decides: each compiler's caller calls each compiler's callee, and lost values are printed."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.bundle import Bundle, Ways
from abiprobe.harness.observers.image.operations import pair_operations
from abiprobe.harness.observers.image.parts import RESULT, ValuePart, parts_of
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import calls_text
from abiprobe.harness.observers.program_bundle import BundleRow, Tables, program_bundle
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import RegisterConvention, Target
from abiprobe.results.verdicts.observations import Turn

FUNCTIONS = "abi_functions"


def open_bundle(plan: CallPlan, types: TypeTable, written: TypeTable, about: Target, here: Machine) -> Bundle:
    """The bundle of one open call on a machine of a target; `types` are those that are supposed where nothing is `written`."""
    assert about.registers is not None, "programs of the target are run"
    parts = parts_of(plan, types, written)
    values = open_values(plan, parts, here, about.registers)
    made = program_bundle(calls_text([plan]), values, about, here=here)
    return msgspec.structs.replace(made, apart=(FUNCTIONS,), ways=Ways.CALLS)


def open_values(
    plan: CallPlan, parts: tuple[ValuePart, ...], machine: Machine, registers: RegisterConvention
) -> str:
    """values.h: what the caller is given in each turn, and what its callee and it must have stored afterwards."""
    tables = Tables()
    turns = []
    for turn, pair in zip(plan.turns, pair_operations(plan, 0, 0, machine, registers), strict=True):
        places, count = tables.places([row(plan, turn, part, machine) for part in parts])
        turns.append(
            f"{{.call_state = {tables.data(pair.enter)}, .call_input = {tables.data(pair.inputs)}, "
            f".call_input_bytes = {len(pair.inputs)}, .call_bias = {pair.sp_bias}, "
            f".callee = {places}, .callee_count = {count}}}"
        )
    head = [
        "#define PAIRED",
        f"extern void (*const {FUNCTIONS}[])(void), (*const other_{FUNCTIONS}[])(void);",
    ]
    listed = ",\n".join(f"  {turn}" for turn in turns)
    return "\n".join([*head, *tables.lines, f"static const struct turn turns[] = {{\n{listed}\n}};", ""])


def row(plan: CallPlan, turn: Turn, part: ValuePart, machine: Machine) -> BundleRow:
    """A part of a value as it must be stored by who receives it."""
    of_result = part.value == RESULT
    slot = plan.slots.result if of_result else plan.slots.params[part.value]
    passed = plan.assignment.result if of_result else plan.assignment.params[part.value]
    assert slot is not None, "a result has a slot"
    assert passed is not None, "a result that is followed is there"
    value = (turn.result or b"") if of_result else turn.values[part.value]
    # A narrow integer is stored widened.
    before = slot.size - passed.size if slot.narrow and machine.order == "big" else 0
    size = part.end - part.start
    return BundleRow(
        part.what,
        "OUT",
        slot.offset + before + part.start,
        value[part.start : part.end],
        part.kept.to_bytes(size, "little"),
    )

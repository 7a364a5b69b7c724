"""Calls about which the text is silent: where a compiled caller puts each part of each value, and its callee takes it from.

No model has a say. Five things are asked of the caller and the callee of one compiler:

1. The caller calls, and is left as soon as registers, stack and what its addresses lead to are recorded.
2. The caller calls the callee itself. What arrives tells whether the two sides of this compiler go together.
3. Where a value has few bits, the caller calls observe_caller_again with other values, until they tell its place from others.
4. The callee is entered amid noise, with addresses of noise wherever its own caller had addresses. What it has read is
   then looked for in the noise, and the result in what it leaves.
5. Where a result is left in registers, the caller is given noise instead, and what it takes is looked for there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.executors.replay import Died, Observation
from abiprobe.harness.machines.runtime.description import STACK
from abiprobe.harness.machines.runtime.machine import Machine, x87_result
from abiprobe.harness.machines.runtime.script import (
    NEVER,
    Call,
    Called,
    Copy,
    Enter,
    Entered,
    Op,
    Paired,
    Patch,
    Peek,
    Record,
)
from abiprobe.harness.machines.runtime.wasm import TYPES, decoded
from abiprobe.harness.observers.image.decoding import addresses_in, skew_of
from abiprobe.harness.observers.image.open_inference import Inference, infer, result_parts
from abiprobe.harness.observers.image.open_shown import (
    TOP,
    in_registers,
    is_x87,
    left_in,
    shown_parts,
    sides_shown,
)
from abiprobe.harness.observers.image.open_sides import PartOfSides, addressed, has_sides
from abiprobe.harness.observers.image.operations import inputs, pair_operations, patched, preserving
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.tracing import (
    MEMORY_NOISE,
    STACK_NOISE,
    Address,
    State,
    noise,
    noise_of,
)
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Located, Register
from abiprobe.results.verdicts.record import Shown

POISON = (0xC3, 0x5A)
COUNT = "rax"
"""Where System V x86-64 counts the vector registers of an unnamed argument."""
BEHIND = "unimp"
"""What stands behind a call of 32-bit SPARC, behind which a function with a structure as its result returns."""

Run = Callable[[Sequence[tuple[CallPlan, Op]]], list[Observation]]
"""Runs operations, each of a plan, on an image of their unit."""


class ObservedOpenCall(msgspec.Struct, frozen=True):
    """The observation of one compiler on an open question; its `sides` where it was asked about each by itself."""

    shown: tuple[Shown, ...]
    sides: tuple[PartOfSides, ...] = ()


def open_calls(
    plans: Sequence[CallPlan],
    types: TypeTable,
    written: TypeTable,
    machine: Machine,
    registers: RegisterConvention,
    run: Run,
    *,
    leaves: bool = True,
) -> list[ObservedOpenCall]:
    """Return one compiler's observations on open plans, by running its callers and callees.

    A caller is left at its call, as nobody needs to know how to return to it. One that is not to be left (`leaves`) runs
    in a process of its own kind: it is returned to with nothing taken off the stack, and no address of it is followed.
    """
    inferences = [infer(plan, types, written, machine) for plan in plans]
    for one in inferences if not leaves else ():
        one.places, one.followed = (), False
    copies = () if leaves else preserving(machine, registers)
    pops = NEVER if leaves else 0

    def calls(one: Inference, turns: range, places: Sequence[Address]) -> list[Op]:
        return [caller_alone(one, turn, places, machine, registers, copies, pops) for turn in turns]

    def observe_caller(one: Inference) -> list[Op]:
        pairs = pair_operations(one.plan, 0, 0, machine, registers)
        return [*calls(one, range(len(TURNS)), one.places), *pairs]

    def observe_caller_again(one: Inference) -> list[Op]:
        return calls(one, range(len(TURNS), len(one.turns)), one.leading)

    for one, answers in answers_to(run, inferences, observe_caller):
        keep_passed(one, answers[: len(TURNS)], one.places, machine)
        one.arrived = tuple(item for item in answers[len(TURNS) :] if isinstance(item, (Paired, Died)))
    called = [one for one in inferences if one.passed is not None]
    for one, answers in answers_to(
        run, [one for one in called if len(one.turns) > len(TURNS)], observe_caller_again
    ):
        keep_passed(one, answers, one.leading, machine)
    for one in called:
        if has_sides(one.plan.readings):
            wanted = addressed(one.plan.readings)
            one.leading = tuple(place for place in one.places if place.place in wanted)
    for one, answers in answers_to(run, called, lambda one: probe_callee(one, machine)):
        keep_read(one, answers, machine)
    returning = [one for one in called if in_registers(one, machine)]
    for one, answers in answers_to(run, returning, lambda one: probe_result(one, machine, registers)):
        if all(isinstance(item, Called) for item in answers):
            one.taken = tuple(item.out for item in answers if isinstance(item, Called))
    return [observed(one, machine) for one in inferences]


def observed(one: Inference, machine: Machine) -> ObservedOpenCall:
    """The observation, with that of each side where its dialect is known."""
    sides = sides_shown(one, machine) if has_sides(one.plan.readings) else ()
    return ObservedOpenCall(tuple(shown_parts(one, machine)), tuple(sides))


def answers_to(
    run: Run, inferences: Sequence[Inference], ops: Callable[[Inference], Sequence[Op]]
) -> Iterator[tuple[Inference, list[Observation]]]:
    """The answers to the operations of each plan."""
    asked = [(one, ops(one)) for one in inferences]
    if not asked:
        return
    answers = iter(run([(one.plan, op) for one, found in asked for op in found]))
    for one, found in asked:
        yield one, [next(answers) for _ in found]


def caller_alone(
    one: Inference,
    turn: int,
    places: Sequence[Address],
    machine: Machine,
    registers: RegisterConvention,
    copies: tuple[Copy, ...],
    pops: int,
) -> Call:
    """The caller alone in one turn; what the addresses at `places` lead to is recorded."""
    return Call(
        index=0,
        enter=noise(machine, turn),
        returns=noise(machine, turn),
        inputs=inputs(one.plan, one.turns[turn]),
        out_bytes=one.plan.slots.size,
        stack_poison=POISON[turn % 2],
        sp_bias=registers.stack_align * (turn % 2),
        stack_window=one.window,
        peeks=tuple(Peek(place.where, one.room) for place in places),
        copies=copies,
        pops=pops,
    )


def address_neutraliser(
    one: Inference, answer: Record, turn: int, machine: Machine
) -> Callable[[bytes], bytes]:
    """Return a function that replaces the addresses of code in the bytes of an answer, as far as they are known."""
    addresses = addresses_in(one.turns[turn], answer, machine)
    return bytes if addresses is None else addresses.without_code


def passed_state(
    one: Inference, call: Called, turn: int, places: Sequence[Address], machine: Machine
) -> State:
    """The state at a call, without the addresses of code, which depend on what else is in the unit."""
    settled = address_neutraliser(one, call, turn, machine)
    peeked = zip(places, call.peeks, strict=True)
    memory = {one.place: settled(peek.data) for one, peek in peeked if peek.data is not None}
    skew = skew_of(one.plan, call.captured, machine)
    return State(settled(call.captured), call.window[:skew] + settled(call.window[skew:]), memory)


def keep_passed(
    one: Inference, answers: Sequence[Observation], places: Sequence[Address], machine: Machine
) -> None:
    """Keep the states at these calls, of which the first ones tell whether the caller calls at all."""
    calls = [item for item in answers if isinstance(item, Called) and item.captures]
    if len(calls) < len(answers):
        if one.passed is not None:
            one.turns = one.plan.turns
            return
        dead = next((item for item in answers if isinstance(item, Died)), None)
        one.failure = "the caller makes no call" if dead is None else f"the caller dies: {dead.why}"
        return
    before = one.passed or ()
    states = tuple(
        passed_state(one, call, turn, places, machine) for turn, call in enumerate(calls, len(before))
    )
    one.passed = (*before, *states)
    memories = [state.memory for state in one.passed]
    one.leading = tuple(here for here in places if all(here.place in each for each in memories))


def probe_callee(one: Inference, machine: Machine) -> tuple[Enter, ...]:
    """The callee amid noise, with addresses of noise where its own caller had addresses."""
    found = one.leading
    buffer, own_stack = buffer_of(one, machine), STACK | machine.return_address
    ops: list[Enter] = []
    for number, turn in enumerate(one.turns):
        block = bytearray(noise(machine, number))
        box(block, machine, [state.block for state in one.passed or ()])
        for name in as_called(one.plan, machine):
            at, width = machine.registers[name]
            block[at : at + width] = (one.passed or ())[number].block[at : at + width]
        ops.append(
            Enter(
                index=1,
                enter=bytes(block),
                inputs=turn.result or b"",
                out_bytes=one.plan.slots.size,
                stack_poison=POISON[number % 2],
                stack=stack_noise(one, number, machine),
                stack_offset=machine.return_address,
                blob=blob_noise(one, number),
                blob_bytes=one.room * len(found),
                patches=tuple(
                    Patch(place.where, own_stack if place.place == buffer else one.room * i)
                    for i, place in enumerate(found)
                ),
            )
        )
    one.entered = tuple(ops)
    return one.entered


def buffer_of(one: Inference, machine: Machine) -> Located | None:
    """Return the register with the address of the buffer of unnamed arguments, the last one of the type by which a caller calls.

    A callee is given its stack as that: where an address in the buffer leads to is among what stack slots lead to.
    """
    if not (machine.signatures and one.plan.prototype.variadic and one.passed):
        return None
    parameters, _ = decoded(machine.read(one.passed[0].block, TYPES))
    name = f"{parameters[-1]}.p{len(parameters) - 1}" if parameters else ""
    return Located.of(Register(name), machine.files) if name in machine.registers else None


def as_called(plan: CallPlan, machine: Machine) -> list[str]:
    """Return the registers that hold no argument and must be as the callee's own caller had them."""
    asked = (BEHIND, COUNT) if plan.prototype.unnamed else (BEHIND,)
    return [name for name in asked if name in machine.registers]


def stack_noise(one: Inference, turn: int, machine: Machine) -> bytes:
    """Return the noise in the stack area where a callee may look for arguments."""
    return noise_of(turn)[STACK_NOISE : STACK_NOISE + one.window - machine.return_address]


def blob_noise(one: Inference, turn: int) -> bytes:
    """Return the noise at the addresses that the callee is given."""
    return noise_of(turn)[MEMORY_NOISE : MEMORY_NOISE + one.room * len(one.leading)]


def box(block: bytearray, machine: Machine, seen: Sequence[bytes]) -> None:
    """Fill the upper bytes of registers with ones that had ones there each time: a narrow real in a wider register."""
    # No big-endian machine has narrow reals filled up with ones.
    if machine.order == "big" or not all(b"\xff\xff" in state for state in seen):
        return
    for name, (at, width) in machine.registers.items():
        ones = min(
            len(state[at : at + width]) - len(state[at : at + width].rstrip(b"\xff")) for state in seen
        )
        if 1 < ones < width and name not in machine.steady:
            block[at + width - ones : at + width] = b"\xff" * ones


def keep_read(one: Inference, answers: Sequence[Observation], machine: Machine) -> None:
    """Keep what the callee read of which noise, and what it left: of the memory that it was given, what it wrote to."""
    entered = [item for item in answers if isinstance(item, Entered)]
    if len(entered) < len(answers):
        return
    memories = [memory_of(one, blob_noise(one, turn)) for turn in range(len(entered))]
    buffer = buffer_of(one, machine)
    stacks = [bytes(machine.return_address) + stack_noise(one, turn, machine) for turn in range(len(entered))]
    one.given = tuple(
        State(
            patched(op, item.blob_address, machine),
            stacks[turn],
            {
                place: stacks[turn][machine.return_address :] if place == buffer else data
                for place, data in memories[turn].items()
            },
        )
        for turn, (op, item) in enumerate(zip(one.entered, entered, strict=True))
    )
    one.read = tuple(item.out for item in entered)
    written = [
        memory_of(one, item.blob).items() - memory.items()
        for item, memory in zip(entered, memories, strict=True)
    ]
    one.left = tuple(
        left_state(one, item, turn, dict(there), machine)
        for turn, (item, there) in enumerate(zip(entered, written, strict=True))
    )
    one.pops = machine.number(entered[0].left, machine.sp) - entered[0].sp


def left_state(
    one: Inference, item: Entered, turn: int, written: Mapping[Located, bytes], machine: Machine
) -> State:
    """Return the state that the callee left, without the addresses of code."""
    settled = address_neutraliser(one, item, turn, machine)
    return State(settled(item.left), b"", {name: settled(data) for name, data in written.items()})


def memory_of(one: Inference, blob: bytes) -> dict[Located, bytes]:
    """The part of a blob that each address leads to."""
    return {here.place: blob[i * one.room : (i + 1) * one.room] for i, here in enumerate(one.leading)}


def probe_result(one: Inference, machine: Machine, registers: RegisterConvention) -> list[Op]:
    """The caller, given noise for a result; x87 registers hold what the callee left there, where it left anything."""
    ops: list[Op] = []
    assert one.left is not None, "only what was left is looked for"
    x87 = any(is_x87(place) for part in result_parts(one) for place in left_in(one, part, machine))
    given: list[State] = []
    for number, turn in enumerate(one.turns):
        block = bytearray(noise(machine, number))
        box(block, machine, [state.block for state in one.left])
        if x87:
            for name, data in x87_result(machine.read(one.left[number].block, TOP)).items():
                at, width = machine.registers[name]
                block[at : at + width] = data
        given.append(State(bytes(block), b"", {}))
        ops.append(
            Call(
                index=0,
                enter=noise(machine, number),
                returns=bytes(block),
                inputs=inputs(one.plan, turn),
                out_bytes=one.plan.slots.size,
                stack_poison=POISON[number % 2],
                sp_bias=registers.stack_align * (number % 2),
                copies=preserving(machine, registers),
                pops=one.pops,
                shadow=registers.shadow,
            )
        )
    one.returned = tuple(given)
    return ops

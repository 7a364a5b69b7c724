"""Calls about which the text is silent: where a compiled caller puts each part of each value, and its callee takes it from.

No model has a say. Four things are asked of the caller and the callee of one compiler:

1. The caller calls, and is left as soon as registers, stack and what its addresses lead to are recorded.
2. The caller calls the callee itself. What arrives tells whether the two sides of this compiler go together.
3. The callee is entered amid noise, with addresses of noise wherever its own caller had addresses. What it has read is
   then looked for in the noise, and the result in what it leaves.
4. Where a result is left in registers, the caller is given noise instead, and what it takes is looked for there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.executors.replay import Died, Observation
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.machine import Machine, x87_result
from abiprobe.harness.machines.runtime.script import (
    NEVER,
    Call,
    Called,
    Copy,
    Enter,
    Entered,
    Op,
    Pair,
    Paired,
    Patch,
    Peek,
)
from abiprobe.harness.observers.image.decoding import addresses_of, skew_of
from abiprobe.harness.observers.image.operations import inputs, pair_operations, patched, preserving
from abiprobe.harness.observers.image.parts import RESULT, Part, parts_of
from abiprobe.harness.observers.image.plan import BLOB_ALIGN, CallPlan
from abiprobe.harness.observers.image.tracing import NOISE, Address, State, addresses, noise, standing
from abiprobe.oracles.engine.extended import extended, is_finite
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import RegisterConvention
from abiprobe.results.record import Shown

MARGIN = 64
"""Bytes of the stack, beside the room that all arguments take, in which one may be."""
PEEKED = 1 << 17
"""Bytes that may be recorded of what addresses lead to."""
AMBIGUOUS = 6
"""Places in so many of which a value stands by chance tell nothing."""
POISON = (0xC3, 0x5A)
SOMETIMES = "another place in one of two calls"
MEMORY = "memory "
X87 = "st0"
COUNT = "rax"
"""Where System V x86-64 counts the vector registers of an unnamed argument."""

Run = Callable[[Sequence[tuple[CallPlan, Op]]], list[Observation]]
"""Runs operations, each of a plan, on an image of their unit."""


class ObservedOpenCall(msgspec.Struct, frozen=True):
    """What one compiler shows of an open question."""

    shown: tuple[Shown, ...]


class Studied(msgspec.Struct):
    """One open plan under study; states and answers by turn, `None` until they are known."""

    plan: CallPlan
    parts: tuple[Part, ...]
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
    found: dict[int, tuple[str, ...]] = {}
    """where it left each part of its result, by the first byte of the part"""
    pops: int = 0
    returned: tuple[State, ...] = ()
    """what the caller was given back"""
    taken: tuple[bytes, ...] | None = None
    """what it then took for the result"""
    arrived: tuple[Paired | Died, ...] = ()
    failure: str = ""


def study(plan: CallPlan, types: TypeTable, written: TypeTable, machine: Machine) -> Studied:
    """An open plan with what must be known of it to ask."""
    values = (*plan.assignment.params, *(() if plan.assignment.result is None else (plan.assignment.result,)))
    area = sum(round_up(one.size, 16) for one in plan.assignment.params) + machine.linkage + MARGIN
    room = round_up(max((one.size for one in values), default=0), BLOB_ALIGN)
    places = addresses(machine, area)
    fitting = PEEKED // 4 // max(room, 1)
    parts, window = parts_of(plan, types, written), machine.return_address + area
    return Studied(plan, parts, places[:fitting], window, room, followed=fitting >= len(places))


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
    """What one compiler shows of open plans, by running its callers and callees.

    A caller is left at its call, as nobody needs to know how to return to it. One that is not to be left (`leaves`) runs
    in a process of its own kind: it is returned to with nothing taken off the stack, and no address of it is followed.
    """
    studied = [study(plan, types, written, machine) for plan in plans]
    for one in studied if not leaves else ():
        one.places, one.followed = (), False
    each = 2 * len(TURNS)
    for one, answers in answers_to(
        run, studied, lambda one: first(one, machine, registers, leaves=leaves), each
    ):
        keep_passed(one, answers[: len(TURNS)], machine)
        one.arrived = tuple(item for item in answers[len(TURNS) :] if isinstance(item, (Paired, Died)))
    calling = [one for one in studied if one.passed is not None]
    for one, answers in answers_to(run, calling, lambda one: second(one, machine), len(TURNS)):
        keep_read(one, answers, machine)
    returning = [one for one in calling if in_registers(one, machine)]
    for one, answers in answers_to(run, returning, lambda one: third(one, machine, registers), len(TURNS)):
        if all(isinstance(item, Called) for item in answers):
            one.taken = tuple(item.out for item in answers if isinstance(item, Called))
    return [ObservedOpenCall(tuple(shown_parts(one, machine))) for one in studied]


def answers_to(
    run: Run, studied: Sequence[Studied], ops: Callable[[Studied], Sequence[Op]], each: int
) -> Iterator[tuple[Studied, list[Observation]]]:
    """The answers to the operations of each plan, of which there are `each`."""
    if not studied:
        return
    answers = run([(one.plan, op) for one in studied for op in ops(one)])
    for number, one in enumerate(studied):
        yield one, answers[number * each : (number + 1) * each]


def first(one: Studied, machine: Machine, registers: RegisterConvention, *, leaves: bool = True) -> list[Op]:
    """The caller alone, left when it calls if it may be, and then the caller with its own callee."""
    calls: list[Op] = [
        Call(
            index=0,
            enter=noise(machine, turn),
            returns=noise(machine, turn),
            inputs=inputs(one.plan, one.plan.turns[turn]),
            out_bytes=one.plan.slots.size,
            stack_poison=POISON[turn],
            sp_bias=registers.stack_align * turn,
            stack_window=one.window,
            peeks=tuple(Peek(place.where, one.room) for place in one.places),
            copies=() if leaves else preserved_state(machine, registers),
            pops=NEVER if leaves else 0,
        )
        for turn in TURNS
    ]
    pairs: tuple[Pair, ...] = pair_operations(one.plan, 0, 0, machine, registers)
    return [*calls, *pairs]


def passed_state(one: Studied, call: Called, turn: int, machine: Machine) -> State:
    """The state at a call, without the addresses of code, which depend on what else is in the unit."""
    addresses = addresses_of(one.plan, call, machine, turn)
    settled = addresses.without_code if addresses is not None else bytes
    peeked = zip(one.places, call.peeks, strict=True)
    memory = {place.name: settled(peek.data) for place, peek in peeked if peek.data is not None}
    skew = skew_of(one.plan, call.captured, machine)
    return State(settled(call.captured), call.window[:skew] + settled(call.window[skew:]), memory)


def keep_passed(one: Studied, answers: Sequence[Observation], machine: Machine) -> None:
    """Keep the states at the calls of all turns."""
    calls = [item for item in answers if isinstance(item, Called) and item.captures]
    if len(calls) < len(TURNS):
        dead = next((item for item in answers if isinstance(item, Died)), None)
        one.failure = "the caller makes no call" if dead is None else f"the caller dies: {dead.why}"
        return
    one.passed = tuple(passed_state(one, call, turn, machine) for turn, call in enumerate(calls))
    memories = [state.memory for state in one.passed]
    one.leading = tuple(place for place in one.places if all(place.name in each for each in memories))


def second(one: Studied, machine: Machine) -> tuple[Enter, ...]:
    """The callee amid noise, with addresses of noise where its own caller had addresses."""
    found = one.leading
    ops: list[Enter] = []
    for turn in TURNS:
        block = bytearray(noise(machine, turn))
        box(block, machine, [state.block for state in one.passed or ()])
        if one.plan.prototype.unnamed and COUNT in machine.registers:
            at, width = machine.registers[COUNT]
            block[at : at + width] = (one.passed or ())[turn].block[at : at + width]
        ops.append(
            Enter(
                index=1,
                enter=bytes(block),
                inputs=one.plan.turns[turn].result or b"",
                out_bytes=one.plan.slots.size,
                stack_poison=POISON[turn],
                stack=stack_noise(one, turn, machine),
                stack_offset=machine.return_address,
                blob=blob_noise(one, turn, len(found)),
                blob_bytes=one.room * len(found),
                patches=tuple(Patch(place.where, one.room * i) for i, place in enumerate(found)),
            )
        )
    one.entered = tuple(ops)
    return one.entered


def stack_noise(one: Studied, turn: int, machine: Machine) -> bytes:
    """What the callee finds where arguments may be on the stack."""
    return NOISE[turn][8192 : 8192 + one.window - machine.return_address]


def blob_noise(one: Studied, turn: int, count: int) -> bytes:
    """What `count` addresses lead to."""
    return NOISE[turn][16384 : 16384 + one.room * count]


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


def keep_read(one: Studied, answers: Sequence[Observation], machine: Machine) -> None:
    """Keep what the callee read of which noise, and what it left."""
    entered = [item for item in answers if isinstance(item, Entered)]
    if len(entered) < len(TURNS):
        return
    found = one.leading
    one.given = tuple(
        State(
            patched(op, item.blob_address, machine),
            bytes(machine.return_address) + stack_noise(one, turn, machine),
            {place.name: op.blob[i * one.room : (i + 1) * one.room] for i, place in enumerate(found)},
        )
        for turn, (op, item) in enumerate(zip(one.entered, entered, strict=True))
    )
    one.read = tuple(item.out for item in entered)
    one.left = tuple(left_state(one, item, turn, machine) for turn, item in enumerate(entered))
    one.pops = machine.number(entered[0].left, machine.sp) - entered[0].sp


def left_state(one: Studied, item: Entered, turn: int, machine: Machine) -> State:
    """What the callee left, without the addresses of code."""
    addresses = addresses_of(one.plan, item, machine, turn)
    settled = addresses.without_code if addresses is not None else bytes
    blob = {place.name: item.blob[i * one.room : (i + 1) * one.room] for i, place in enumerate(one.leading)}
    return State(settled(item.left), b"", {name: settled(data) for name, data in blob.items()})


def result_parts(one: Studied) -> tuple[Part, ...]:
    """The parts of the result."""
    return tuple(part for part in one.parts if part.value == RESULT)


def results(one: Studied) -> tuple[bytes, ...]:
    """The result of each turn."""
    return tuple(turn.result or b"" for turn in one.plan.turns)


def left_at(one: Studied, part: Part, machine: Machine) -> tuple[str, ...]:
    """Where the callee left a part of its result."""
    if one.left is None:
        return ()
    if part.start not in one.found:
        found = standing(part, results(one), one.left, machine)
        # Nothing is written through an address by chance; a copy may well be left in a register on the way there.
        written = tuple(place for place in found if place.startswith(MEMORY))
        one.found[part.start] = written or (*found, *((X87,) if in_x87(one, machine) else ()))
    return one.found[part.start]


def in_x87(one: Studied, machine: Machine) -> bool:
    """Whether the callee left its result as an extended real."""
    result = one.plan.assignment.result
    if X87 not in machine.registers or result is None or result.size not in {4, 8} or one.left is None:
        return False
    return all(
        is_finite(value) and int.from_bytes(machine.read(state.block, X87), "little") == extended(value)
        for value, state in zip(results(one), one.left, strict=True)
    )


def in_registers(one: Studied, machine: Machine) -> bool:
    """Whether the callee left all of a result, and in registers."""
    places = [left_at(one, part, machine) for part in result_parts(one)]
    return (
        0 <= one.pops <= one.window
        and bool(places)
        and all(found and not any(place.startswith(MEMORY) for place in found) for found in places)
    )


def third(one: Studied, machine: Machine, registers: RegisterConvention) -> list[Op]:
    """The caller, given noise for a result; x87 registers hold what the callee left there, where it left anything."""
    ops: list[Op] = []
    assert one.left is not None, "only what was left is looked for"
    x87 = any(X87 in place for part in result_parts(one) for place in left_at(one, part, machine))
    given: list[State] = []
    for turn in TURNS:
        block = bytearray(noise(machine, turn))
        box(block, machine, [state.block for state in one.left])
        if x87:
            for name, data in x87_result(machine.read(one.left[turn].block, X87)).items():
                at, width = machine.registers[name]
                block[at : at + width] = data
        given.append(State(bytes(block), b"", {}))
        ops.append(
            Call(
                index=0,
                enter=noise(machine, turn),
                returns=bytes(block),
                inputs=inputs(one.plan, one.plan.turns[turn]),
                out_bytes=one.plan.slots.size,
                stack_poison=POISON[turn],
                sp_bias=registers.stack_align * turn,
                copies=preserved_state(machine, registers),
                pops=one.pops,
                shadow=registers.shadow,
            )
        )
    one.returned = tuple(given)
    return ops


def preserved_state(machine: Machine, registers: RegisterConvention) -> tuple[Copy, ...]:
    """What a call preserves."""
    return preserving(machine, registers)


def shown_parts(one: Studied, machine: Machine) -> Iterator[Shown]:
    """What a study comes to: for each part one place, or, where caller and callee part, both."""
    if one.failure:
        yield Shown("the call", ("made",), (f"nowhere: {one.failure}",))
        return
    dead = next((item for item in one.arrived if isinstance(item, Died)), None)
    for part in one.parts if dead is None else ():
        yield from shown_part(one, part, machine)
    if dead is not None:
        yield Shown("the call", ("made",), (f"nowhere: the program dies: {dead.why}",))


def shown_part(one: Studied, part: Part, machine: Machine) -> Iterator[Shown]:
    """What a study comes to for one part; nothing where it cannot be told from others."""
    arrived = delivered(one, part, machine)
    at, taken = (
        (returned if part.value == RESULT else passed)(one, part, machine) if part.telling else ((), ())
    )
    common = tuple(place for place in at if place in taken)
    # Where the callee could not be asked, the only place in which the part stands is where it travels. That is not known
    # where an address was not followed: the part may lie there, and a register may have the copy that was left on the way.
    certain = common or (at if one.read is None and one.followed and len(at) == 1 else ())
    if arrived and 0 < len(certain) <= AMBIGUOUS:
        yield Shown(part.what, certain)
    elif not arrived and part.sure:
        # What is lost although both have it in one place is lost where the stack stands otherwise, in one of the calls.
        lost = (SOMETIMES,) if common else taken[:AMBIGUOUS] or ("another place",)
        yield Shown(part.what, at[:AMBIGUOUS] or ("no place that was found",), lost)


def passed(one: Studied, part: Part, machine: Machine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the caller puts a part of an argument, and where the callee takes it from."""
    values = tuple(turn.values[part.value] for turn in one.plan.turns)
    at = standing(part, values, one.passed or (), machine)
    if one.read is None:
        return at, ()
    slot = one.plan.slots.params[part.value]
    size = one.plan.assignment.params[part.value].size
    stored = tuple(stored_value(out, slot, size, machine) for out in one.read)
    # Zeros are no noise that the callee was given: they stand above every address.
    read = any(part.of(data) for data in stored)
    return at, standing(part, stored, one.given, machine) if read else ()


def returned(one: Studied, part: Part, machine: Machine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the callee leaves a part of the result, and where the caller takes it from."""
    at = left_at(one, part, machine)
    slot, result = one.plan.slots.result, one.plan.assignment.result
    if one.taken is None or slot is None or result is None:
        return at, ()
    stored = tuple(stored_value(out, slot, result.size, machine) for out in one.taken)
    taken = standing(part, stored, one.returned, machine)
    as_left = X87 in at and all(
        part.of(data) == part.of(value) for data, value in zip(stored, results(one), strict=True)
    )
    return at, (*taken, *((X87,) if as_left else ()))


def stored_value(out: bytes, slot: Slot, size: int, machine: Machine) -> bytes:
    """A value of `size` bytes as compiled code stored it; a narrow integer was widened."""
    before = slot.size - size if slot.narrow and machine.order == "big" else 0
    return out[slot.offset + before : slot.offset + max(slot.size, size)]


def delivered(one: Studied, part: Part, machine: Machine) -> bool:
    """Whether a part arrived when the caller called the callee, in every turn."""
    slots, assignment = one.plan.slots, one.plan.assignment
    slot, passed = (
        (slots.result, assignment.result)
        if part.value == RESULT
        else (slots.params[part.value], assignment.params[part.value])
    )
    assert slot is not None, "a result has a slot"
    assert passed is not None, "a result that is followed is there"
    for turn, item in zip(one.plan.turns, one.arrived, strict=True):
        assert isinstance(item, Paired), "a program that died delivers nothing"
        value = (turn.result or b"") if part.value == RESULT else turn.values[part.value]
        data = stored_value(item.out, slot, passed.size, machine)
        if part.of(data) != part.of(value):
            return False
    return True

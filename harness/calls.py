"""The questions about calls: what goes into the image for one prototype, and what its records say.

Each prototype is asked four times: its caller and its callee, with two sets of values (`generators.values`).
Everything that the text leaves undefined is filled with noise that differs from turn to turn.
"""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec

from abiprobe.generators.values import TURNS, fill
from abiprobe.harness.render.arrange import WIDENED, Arrangement, Slot, arrange
from abiprobe.harness.runtime.machine import Machine, x87_result
from abiprobe.harness.runtime.script import (
    AREA,
    Call,
    Called,
    Copy,
    Enter,
    Entered,
    Op,
    Patch,
    Peek,
    Store,
    preserve,
)
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.expect import Expected, contents, expected
from abiprobe.oracles.lang import Prototype, Type, strip
from abiprobe.oracles.place import Assignment, Hidden, Passed, Passing, Piece, Register, StackSlot
from abiprobe.results.judge import CalleeSeen, CallerSeen, Frame, Turn, View

OPS_PER_PROBE = 2 * len(TURNS)
NOISE = tuple(hashlib.shake_128(f"noise {turn}".encode()).digest(8192) for turn in TURNS)
BLOB_ALIGN = 64
VECTOR_REGISTERS = 8
STACK_MARGIN = 64
"""Bytes recorded above the stack arguments, in which a misplaced one can be found."""


class TooLargeError(Exception):
    """The values of a call do not fit the runtime's buffers."""


class CallPlan(msgspec.Struct, frozen=True):
    """Everything about one prototype that no compiler changes: predicted places, buffers, values of each turn."""

    probe: str
    prototype: Prototype
    assignment: Assignment
    slots: Arrangement
    turns: tuple[Turn, ...]


def plan_call(types: TypeTable, probe: str, prototype: Prototype, assignment: Assignment) -> CallPlan:
    """Prepare a prototype whose places are known; raises `TooLargeError` when it does not fit the image."""
    slots = arrange(types, prototype)
    blob = sum(round_up(passed.size, BLOB_ALIGN) for passed in (*assignment.params, *_results(assignment)))
    if max(slots.size, blob, assignment.stack_bytes * 2) > AREA // 2:
        raise TooLargeError(f"{max(slots.size, blob, assignment.stack_bytes)} bytes of values")
    turns = tuple(_turn(types, prototype, assignment, slots, turn) for turn in TURNS)
    return CallPlan(probe, prototype, assignment, slots, turns)


def _results(assignment: Assignment) -> tuple[Passed, ...]:
    return () if assignment.result is None else (assignment.result,)


def _turn(
    types: TypeTable, prototype: Prototype, assignment: Assignment, slots: Arrangement, turn: int
) -> Turn:
    values = tuple(fill(types, param.type, i + 1, turn) for i, param in enumerate(prototype.params))
    places = tuple(
        contents(passed, value) if passed.passing is Passing.DIRECT else ()
        for passed, value in zip(assignment.params, values, strict=True)
    )
    views = tuple(
        _view(types, param.type, slot, value, passed.mask)
        for param, slot, value, passed in zip(
            prototype.params, slots.params, values, assignment.params, strict=True
        )
    )
    result, result_view = None, None
    result_places: tuple[Expected, ...] = ()
    if prototype.result is not None and assignment.result is not None and slots.result is not None:
        result = fill(types, prototype.result, 0, turn)
        result_view = _view(types, prototype.result, slots.result, result, assignment.result.mask)
        if assignment.result.passing is Passing.DIRECT:
            result_places = contents(assignment.result, result)
    return Turn(values, places, views, result, result_places, result_view)


def _view(types: TypeTable, c_type: Type, slot: Slot, value: bytes, mask: bytes) -> View:
    """What C stores of a value: the value itself, or all of it widened to 8 bytes."""
    if not slot.narrow:
        return View(int.from_bytes(value, "little"), int.from_bytes(mask, "little"), slot.size, 0)
    bits = int.from_bytes(value, "little") & int.from_bytes(mask, "little")
    width = int.from_bytes(mask, "little").bit_length()
    whole = (1 << 8 * WIDENED) - 1
    if types.is_signed(strip(c_type)) and bits >> (width - 1):
        bits |= whole & ~((1 << width) - 1)
    return View(bits, whole, WIDENED, slot.narrow)


def operations(plan: CallPlan, index: int, machine: Machine, preserved: tuple[str, ...]) -> tuple[Op, ...]:
    """The operations for probe number `index` of an image: caller and callee for each turn."""
    ops: list[Op] = []
    for number, turn in enumerate(plan.turns):
        ops.append(_call(plan, index, machine, preserved, number, turn))
        ops.append(_enter(plan, index, machine, number, turn))
    return tuple(ops)


@cache
def _noise_block(machine: Machine, number: int) -> bytes:
    block = bytearray(machine.initial)
    for name, (at, width) in machine.registers.items():
        if name not in machine.steady:
            block[at : at + width] = NOISE[number][at : at + width]
    return bytes(block)


def _noise(machine: Machine, number: int) -> bytearray:
    """A state block of noise in every register that a program may write freely."""
    return bytearray(_noise_block(machine, number))


def _put(block: bytearray, machine: Machine, place: Expected) -> None:
    """Set the bits of a register that count, and leave the others as they are."""
    if isinstance(place.place, Register):
        at, width = machine.registers[place.place.name]
        size = min(width, place.width)
        old = int.from_bytes(block[at : at + size], "little")
        block[at : at + size] = ((old & ~place.care) | place.bits).to_bytes(size, "little")


def _call(
    plan: CallPlan, index: int, machine: Machine, preserved: tuple[str, ...], number: int, turn: Turn
) -> Call:
    assignment, slots = plan.assignment, plan.slots
    inputs = bytearray(slots.size)
    for slot, value in zip(slots.params, turn.values, strict=True):
        inputs[slot.offset : slot.offset + len(value)] = value
    returns = _noise(machine, 1 - number)
    for place in turn.result_places:
        _put(returns, machine, place)
    _load_x87(returns, machine, turn.result_places)
    copies = list(_kept(machine, preserved))
    stores: tuple[Store, ...] = ()
    if (
        turn.result is not None
        and assignment.result is not None
        and assignment.result.passing is Passing.INDIRECT
    ):
        where = machine.where(_result_pointer(assignment).place)
        stores = (Store(where, turn.result),)
        # The address that the text returns is only known when the call is captured.
        copies += [
            Copy(where, machine.where(piece.place), machine.pointer) for piece in assignment.result.pieces
        ]
    return Call(
        index=2 * index,
        enter=bytes(_noise(machine, number)),
        returns=bytes(returns),
        inputs=bytes(inputs),
        out_bytes=slots.result.size if slots.result else 0,
        stack_poison=0x5A if number else 0xC3,
        stack_window=machine.return_address + assignment.stack_bytes + STACK_MARGIN,
        peeks=tuple(
            Peek(machine.where(passed.pieces[0].place), passed.size)
            for passed in assignment.params
            if passed.passing is Passing.INDIRECT
        ),
        stores=stores,
        copies=tuple(copies),
        pops=assignment.pops,
    )


@cache
def _kept(machine: Machine, preserved: tuple[str, ...]) -> tuple[Copy, ...]:
    """What keeps a call's callee-saved registers as they were."""
    return preserve(preserved, machine)


def _load_x87(block: bytearray, machine: Machine, places: tuple[Expected, ...]) -> None:
    names = [place.place.name for place in places if isinstance(place.place, Register)]
    depth = sum(name.startswith("st") for name in names)
    if depth and "x87_tags" in machine.registers:
        at, width = machine.registers["x87_tags"]
        block[at : at + width] = x87_result(*[b""] * depth)["x87_tags"]


def _result_pointer(assignment: Assignment) -> Piece:
    return next(hidden.pieces[0] for hidden in assignment.hidden if hidden.role == "result pointer")


def _enter(plan: CallPlan, index: int, machine: Machine, number: int, turn: Turn) -> Enter:
    assignment, slots = plan.assignment, plan.slots
    block = _noise(machine, 1 - number)
    base = machine.return_address
    stack = bytearray(NOISE[number][: assignment.stack_bytes] if assignment.stack_bytes <= 8192 else b"")
    stack.extend(b"\xa7" * (assignment.stack_bytes - len(stack)))
    blob = bytearray()
    patches: list[Patch] = []
    for passed, value, places in zip(assignment.params, turn.values, turn.places, strict=True):
        if passed.passing is Passing.INDIRECT:
            patches.append(Patch(machine.where(passed.pieces[0].place), len(blob)))
            blob += value.ljust(round_up(len(value), BLOB_ALIGN), b"\xa7")
        for place in places:
            _put(block, machine, place)
            _put_on_stack(stack, base, place)
    return_blob = len(blob)
    for hidden in assignment.hidden:
        _put_hidden(block, machine, hidden, patches, return_blob)
    result_size = assignment.result.size if assignment.result and assignment.hidden else 0
    return Enter(
        index=2 * index + 1,
        enter=bytes(block),
        inputs=turn.result or b"",
        out_bytes=slots.size,
        stack_poison=0x5A if number else 0xC3,
        stack=bytes(stack),
        stack_offset=base,
        blob=bytes(blob) + b"\x6b" * result_size,
        blob_bytes=return_blob + result_size,
        patches=tuple(patches),
    )


def _put_on_stack(stack: bytearray, base: int, place: Expected) -> None:
    if isinstance(place.place, StackSlot):
        at = place.place.offset - base
        old = int.from_bytes(stack[at : at + place.width], "little")
        stack[at : at + place.width] = ((old & ~place.care) | place.bits).to_bytes(place.width, "little")


def _put_hidden(
    block: bytearray, machine: Machine, hidden: Hidden, patches: list[Patch], result: int
) -> None:
    for piece in hidden.pieces:
        if hidden.role == "result pointer":
            patches.append(Patch(machine.where(piece.place), result))
        else:
            # More vector registers than a call can use is an upper bound in every case.
            _put(block, machine, expected(piece, bytes([VECTOR_REGISTERS]), b"\xff"))


def caller_seen(plan: CallPlan, record: Called, machine: Machine) -> CallerSeen:
    """What the record of a `Call` says about the compiled caller."""
    peeks = iter(record.peeks)
    memory = tuple(
        next(peeks).data if passed.passing is Passing.INDIRECT else None for passed in plan.assignment.params
    )
    frame = Frame(record.captured, machine.registers, record.window, 0)
    return CallerSeen(frame, memory, record.out, all(record.stored))


def callee_seen(plan: CallPlan, record: Entered, machine: Machine) -> CalleeSeen:
    """What the record of an `Enter` says about the compiled callee."""
    slots = plan.slots
    params = tuple(record.out[slot.offset : slot.offset + slot.size] for slot in slots.params)
    result = plan.assignment.result
    size = result.size if result is not None and plan.assignment.hidden else 0
    start = len(record.blob) - size
    frame = Frame(record.left, machine.registers, b"", 0)
    return CalleeSeen(params, frame, record.blob[start:], record.blob_address + start)

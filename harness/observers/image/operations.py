"""The operations of an image for one prototype: its caller and its callee, once with each set of values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.runtime.machine import STACK, Machine
from abiprobe.harness.machines.runtime.script import (
    WATCHED,
    Call,
    Copy,
    Enter,
    Op,
    Pair,
    Patch,
    Peek,
    Store,
    Watch,
    preserve,
)
from abiprobe.harness.observers.image.plan import BLOB_ALIGN, CallPlan
from abiprobe.oracles.engine.expect import Expected, expected
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import (
    ARGUMENT_BUFFER,
    RESULT_POINTER,
    Assignment,
    Extension,
    Hidden,
    Passing,
    Piece,
    Register,
    StackSlot,
)
from abiprobe.results.verdicts.observations import Turn

NOISE = tuple(hashlib.shake_128(f"noise {turn}".encode()).digest(8192) for turn in TURNS)
STACK_MARGIN = 64
"""Bytes recorded above the stack arguments, in which a misplaced one can be found."""


def operations(plan: CallPlan, index: int, machine: Machine, registers: RegisterConvention) -> tuple[Op, ...]:
    """The operations for probe number `index` of an image: caller and callee for each turn."""
    ops: list[Op] = []
    for number in range(len(plan.turns)):
        ops.append(caller_operation(plan, index, machine, registers, number))
        ops.append(callee_operation(plan, index, machine, registers, number))
    return tuple(ops)


def caller_operation(
    plan: CallPlan, index: int, machine: Machine, registers: RegisterConvention, number: int
) -> Call:
    """The call that the caller of probe number `index` of an image makes in turn `number`."""
    # A caller has no arguments of its own, so its stack need not be aligned for those that it passes.
    bias = registers.stack_align * number
    return _call(plan, index, machine, registers, number, plan.turns[number], bias)


def callee_operation(
    plan: CallPlan, index: int, machine: Machine, registers: RegisterConvention, number: int
) -> Enter:
    """Return the operation that enters the callee of probe number `index` of an image in turn `number`."""
    bias = stack_bias(plan.assignment, registers) if number else 0
    watches = watched(machine, registers, plan.assignment.stack_bytes)
    return _enter(plan, index, machine, number, plan.turns[number], bias, watches)


def pair_operations(
    plan: CallPlan, caller: int, callee: int, machine: Machine, registers: RegisterConvention
) -> tuple[Pair, ...]:
    """The operations by which probe number `caller` of one unit calls number `callee` of another, one for each turn."""
    return tuple(
        Pair(
            index=2 * caller,
            callee=2 * callee + 1,
            enter=noise_block(machine, number),
            inputs=inputs(plan, turn),
            out_bytes=plan.slots.size,
            stack_poison=0x5A if number else 0xC3,
            sp_bias=registers.stack_align * number,
        )
        for number, turn in enumerate(plan.turns)
    )


def stack_bias(assignment: Assignment, registers: RegisterConvention) -> int:
    """Return by how many bytes the stack pointer may be below a multiple of 64 at entry of a function with these places."""
    align = registers.stack_align
    return align if all(passed.align <= align for passed in assignment.params) else 0


@cache
def noise_block(machine: Machine, number: int) -> bytes:
    """A state block of noise in every register that a program may write freely; others have their initial values."""
    block = bytearray(machine.initial)
    for name, (at, width) in machine.registers.items():
        if name not in machine.steady:
            block[at : at + width] = NOISE[number][at : at + width]
    return bytes(block)


def _noise(machine: Machine, number: int) -> bytearray:
    return bytearray(noise_block(machine, number))


def _put(block: bytearray, machine: Machine, place: Expected) -> None:
    """Set the bits of a register that count, and leave the others as they are."""
    if isinstance(place.place, Register):
        at, width = machine.registers[place.place.name]
        size = min(width, place.width)
        old = int.from_bytes(block[at : at + size], "little")
        block[at : at + size] = ((old & ~place.care) | place.bits).to_bytes(size, "little")


def _call(
    plan: CallPlan,
    index: int,
    machine: Machine,
    registers: RegisterConvention,
    number: int,
    turn: Turn,
    bias: int,
) -> Call:
    assignment, slots = plan.assignment, plan.slots
    # What the called function preserves; its caller has neither arguments nor a result.
    registers = registers.of(assignment)
    result_bytes = slots.result.size if slots.result else 0
    returns = _noise(machine, 1 - number)
    for kept in registers.preserved:
        _fill_above(returns, machine, kept.register, kept.size)
    for place in turn.result_places:
        _put(returns, machine, place)
    held = [place.place.name for place in turn.result_places if isinstance(place.place, Register)]
    for name, value in machine.occupied(held).items():
        at, width = machine.registers[name]
        returns[at : at + width] = value
    copies = list(preserving(machine, registers))
    stores: tuple[Store, ...] = ()
    if (
        turn.result is not None
        and assignment.result is not None
        and assignment.result.passing is Passing.INDIRECT
    ):
        where = machine.where(result_pointer(assignment).place)
        stores = (Store(where, padded(turn.result, assignment.result.mask, number)),)
        # The address that the text returns is only known when the call is captured.
        copies += [
            Copy(where, machine.where(piece.place), machine.word) for piece in assignment.result.pieces
        ]
    stores += tuple(spoilt(plan, machine, number))
    return Call(
        index=2 * index,
        enter=bytes(_noise(machine, number)),
        returns=bytes(returns),
        inputs=inputs(plan, turn),
        out_bytes=slots.size if slots.stored_besides else result_bytes,
        stack_poison=0x5A if number else 0xC3,
        sp_bias=bias,
        stack_window=machine.return_address + assignment.stack_bytes + STACK_MARGIN,
        peeks=tuple(
            Peek(machine.where(passed.pieces[0].place), passed.size)
            for passed in assignment.params
            if passed.passing is Passing.INDIRECT
        ),
        stores=stores,
        copies=tuple(copies),
        pops=assignment.pops,
        shadow=registers.shadow,
        # One turn looks at the first call of those that are made in a row, the other one at the last.
        recorded=number * (slots.calls - 1),
        area=next((machine.where(piece.place) for piece in buffer_pointer(assignment)), None),
        # The caller is called, too, without arguments.
        watches=watched(machine, registers, 0),
    )


def spoilt(plan: CallPlan, machine: Machine, number: int) -> Iterator[Store]:
    """Yield the writes of the called function over the copies that it is passed by their addresses: they are its own."""
    for index, slot in plan.slots.objects:
        passed = plan.assignment.params[index]
        if passed.passing is Passing.INDIRECT:
            noise = NOISE[number] * (slot.size // len(NOISE[number]) + 1)
            yield Store(machine.where(passed.pieces[0].place), noise[: slot.size])


def padded(value: bytes, mask: bytes, number: int) -> bytes:
    """A value in memory with noise in all bits that carry nothing: the padding of records and of `_BitInt`s."""
    if mask.count(0xFF) == len(mask):
        return value
    size = len(value)
    noise = (NOISE[number] * (size // len(NOISE[number]) + 1))[:size]
    bits, care, other = (int.from_bytes(data, "little") for data in (value, mask, noise))
    return (bits & care | other & ~care & (1 << 8 * size) - 1).to_bytes(size, "little")


def inputs(plan: CallPlan, turn: Turn) -> bytes:
    """Return the bytes that a caller reads from `abi_in`: its arguments and the values that it keeps over the call.

    The result is there too, for a compiled callee to return.
    """
    data = bytearray(plan.slots.size)
    if turn.result is not None:
        data[: len(turn.result)] = turn.result
    slots = (*plan.slots.params, *plan.slots.live)
    for slot, value in zip(slots, (*turn.values, *turn.live), strict=True):
        data[slot.offset : slot.offset + len(value)] = value
    return bytes(data)


@cache
def preserving(machine: Machine, registers: RegisterConvention) -> tuple[Copy, ...]:
    """Return the copies that keep a call's callee-saved registers, as far as the convention does."""
    return preserve([(kept.register, kept.size) for kept in registers.preserved], machine)


def _fill_above(block: bytearray, machine: Machine, name: str, size: int) -> None:
    """Fill a register above its lowest `size` bytes as restoring a narrow value of that size does."""
    at, width = machine.registers[name]
    low, size = machine.lowest(name, size)
    filled = bytearray([machine.fill]) * width
    filled[low - at : low - at + size] = block[low : low + size]
    block[at : at + width] = filled


def result_pointer(assignment: Assignment) -> Piece:
    """Return the piece with the address of the memory for the result."""
    return next(hidden.pieces[0] for hidden in assignment.hidden if hidden.role == RESULT_POINTER)


def buffer_pointer(assignment: Assignment) -> tuple[Piece, ...]:
    """Return the piece with the address of the buffer of the arguments on the stack; empty if none of them is in one."""
    if not assignment.stack_bytes:
        return ()
    found = (hidden.pieces for hidden in assignment.hidden if hidden.role == ARGUMENT_BUFFER)
    return next(found, ())


@cache
def watched(machine: Machine, registers: RegisterConvention, stack_bytes: int) -> tuple[Watch, ...]:
    """Return the parts of its caller's frame that a function with so many bytes of stack arguments must leave alone."""
    frame = registers.caller_frame
    if frame is None:
        return ()
    above = round_up(max(frame.own, machine.return_address + stack_bytes), machine.word)
    return (*(Watch(word.offset, word.size) for word in frame.words), Watch(above, WATCHED))


def _enter(
    plan: CallPlan,
    index: int,
    machine: Machine,
    number: int,
    turn: Turn,
    bias: int,
    watches: tuple[Watch, ...],
) -> Enter:
    assignment, slots = plan.assignment, plan.slots
    block = _noise(machine, 1 - number)
    base = machine.return_address
    stack = bytearray(NOISE[number][: assignment.stack_bytes] if assignment.stack_bytes <= 8192 else b"")
    stack.extend(b"\xa7" * (assignment.stack_bytes - len(stack)))
    blob = bytearray()
    patches: list[Patch] = []
    for passed, value, places in zip(assignment.params, turn.values, turn.places, strict=True):
        if passed.passing is Passing.INDIRECT:
            piece = passed.pieces[0]
            patches.append(Patch(machine.where(piece.place), len(blob), piece.extension is Extension.ANY))
            blob += padded(value, passed.mask, number).ljust(round_up(len(value), BLOB_ALIGN), b"\xa7")
        for place in places:
            _put(block, machine, place)
            _put_on_stack(stack, base, place)
    return_blob = len(blob)
    for hidden in assignment.hidden:
        _put_hidden(block, machine, hidden, patches, return_blob, number)
    result_size = assignment.result.size if assignment.result and assignment.hidden else 0
    return Enter(
        index=2 * index + 1,
        enter=bytes(block),
        inputs=turn.result or b"",
        out_bytes=slots.size,
        stack_poison=0x5A if number else 0xC3,
        sp_bias=bias,
        stack=bytes(stack),
        stack_offset=base,
        blob=bytes(blob) + b"\x6b" * result_size,
        blob_bytes=return_blob + result_size,
        patches=tuple(patches),
        watches=watches,
    )


def entered(plan: CallPlan, machine: Machine, registers: RegisterConvention, number: int, blob: int) -> bytes:
    """The registers with which a callee was entered in a turn, its memory at the address `blob`.

    They are noise as far as a call preserves them, unless one of those carries an argument (r6 of s390x).
    """
    preserved = {kept.register for kept in registers.preserved}
    if not any(
        isinstance(piece.place, Register) and piece.place.name in preserved
        for passed in plan.assignment.params
        for piece in passed.pieces
    ):
        return noise_block(machine, 1 - number)
    return patched(_enter(plan, 0, machine, number, plan.turns[number], 0, ()), blob, machine)


def patched(op: Enter, blob: int, machine: Machine) -> bytes:
    """The registers of an operation with the addresses in them."""
    block = bytearray(op.enter)
    for patch in op.patches:
        if patch.where < machine.state_bytes and patch.offset < STACK:
            data = (blob + patch.offset).to_bytes(machine.word, machine.order)
            size = machine.pointer if patch.low else machine.word
            block[patch.where : patch.where + size] = data[:size]
    return bytes(block)


def _put_on_stack(stack: bytearray, base: int, place: Expected) -> None:
    if isinstance(place.place, StackSlot):
        at = place.place.offset - base
        old = int.from_bytes(stack[at : at + place.width], "little")
        stack[at : at + place.width] = ((old & ~place.care) | place.bits).to_bytes(place.width, "little")


def _put_hidden(
    block: bytearray, machine: Machine, hidden: Hidden, patches: list[Patch], result: int, number: int
) -> None:
    for piece in hidden.pieces:
        if hidden.role == ARGUMENT_BUFFER:
            patches.append(Patch(machine.where(piece.place), STACK | machine.return_address))
        elif hidden.bounds is None:
            patches.append(Patch(machine.where(piece.place), result))
        else:
            # One turn has the largest number that is allowed, the other one the least.
            _put(block, machine, expected(piece, bytes([hidden.bounds[1 - number]]), b"\xff"))

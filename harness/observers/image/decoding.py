"""Decoding of an image's records about a compiled caller and a compiled callee."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from abiprobe.harness.machines.render.arrange import LIVE
from abiprobe.harness.machines.render.reads import RESULT, Form, Read
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Called, Entered, Paired, Record, Written
from abiprobe.harness.observers.image.entry import (
    entry_differences,
    forbidden,
    in_use,
    misplaced_memory,
    misplaced_result,
    out_of_bounds,
)
from abiprobe.harness.observers.image.function_types import mistyped
from abiprobe.harness.observers.image.operations import (
    STACK_MARGIN,
    buffer_pointer,
    callee_operation,
    caller_operation,
    entered,
    noise_block,
)
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Files, Located, Passed, Passing, Register, StackSlot
from abiprobe.results.verdicts.addresses import Addresses, spelled, told
from abiprobe.results.verdicts.compare import both, differing, in_place
from abiprobe.results.verdicts.locations import InPlaces, Named, of_pieces
from abiprobe.results.verdicts.notes import ReliesOnAbove, Use, Used
from abiprobe.results.verdicts.observations import Frame, ObservedCallee, ObservedCaller, ObservedPair, Turn
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Away, Bytes, Overwritten, Restored, Untouched, Words


def caller_seen(
    plan: CallPlan, record: Called, machine: Machine, registers: RegisterConvention, number: int
) -> ObservedCaller:
    """Return the observation of the compiled caller in the record of a `Call` in turn `number`."""
    slots = plan.slots
    addresses = addresses_of(plan, record, machine, number)
    skew = skew_of(plan, record.captured, machine)
    frame = Frame(record.captured, machine.registers, machine.files, record.window, 0, addresses, skew)
    before = noise_block(machine, number)
    return ObservedCaller(
        frame,
        pointed_at(plan, record),
        record.out[: slots.result.size if slots.result else 0],
        all(record.stored[:1]),
        (
            *disturbed("caller", before, record.sp, record.left, machine, registers, addresses),
            *forbidden("caller", record.left, machine, registers),
            *in_use("caller", record.left, machine, registers, plan.assignment, None),
            *overwritten("caller", record.written, registers),
            *lost(plan, plan.turns[number].live, record.out, registers, addresses),
            *altered(plan, plan.turns[number].values, record.out, registers, addresses),
            *miscounted(plan, "caller", plan.destroyed, record.out, machine),
        ),
        (*entry_differences(plan, record, machine, registers), *misplaced_memory(plan, record, machine)),
        tuple(out_of_bounds(plan, frame, machine)),
        given_back(plan, record, machine, registers, number),
        tuple(computed(plan, "caller", plan.turns[number], record.out, machine.files)),
        tuple(misplaced_result(plan, frame, machine)),
    )


def addresses_of(plan: CallPlan, record: Record, machine: Machine, number: int) -> Addresses | None:
    """Return the addresses among the words of an operation of a plan; `None` if they are not known."""
    return addresses_in(plan.turns[number], record, machine)


def addresses_in(turn: Turn, record: Record, machine: Machine) -> Addresses | None:
    """The same of an operation in some turn."""
    values = (*turn.values, *turn.live, *(() if turn.result is None else (turn.result,)))
    return Addresses(record.sp, record.code, machine.pointer, machine.order, values) if record.sp else None


def skew_of(plan: CallPlan, captured: bytes, machine: Machine) -> int:
    """Bytes at the beginning of the recorded stack before a word: a caller may have moved its stack pointer anywhere."""
    if not captured:
        return 0
    area = (
        piece.place.name for piece in buffer_pointer(plan.assignment) if isinstance(piece.place, Register)
    )
    return -machine.number(captured, next(area, machine.sp)) % machine.pointer


def pointed_at(plan: CallPlan, record: Called) -> tuple[bytes | None, ...]:
    """Return the memory to which the addresses among the arguments point; `None` for each argument that is no valid address."""
    if not record.peeks:
        return (None,) * len(plan.assignment.params)
    peeks = iter(record.peeks)
    return tuple(
        next(peeks).data if passed.passing is Passing.INDIRECT else None for passed in plan.assignment.params
    )


def callee_seen(
    plan: CallPlan, record: Entered, machine: Machine, registers: RegisterConvention, number: int
) -> ObservedCallee:
    """Return the observation of the compiled callee in the record of an `Enter` in turn `number`."""
    slots, registers = plan.slots, registers.of(plan.assignment)
    params = tuple(record.out[slot.offset : slot.offset + slot.size] for slot in slots.params)
    result = plan.assignment.result
    size = result.size if result is not None and plan.assignment.hidden else 0
    start = len(record.blob) - size
    addresses = addresses_of(plan, record, machine, number)
    frame = Frame(record.left, machine.registers, machine.files, b"", 0, addresses)
    before = entered(plan, machine, registers, number, record.blob_address)
    right = as_given(plan.turns[number], record.out)
    return ObservedCallee(
        params,
        frame,
        record.blob[start:],
        (record.blob_address + start).to_bytes(machine.pointer, machine.order),
        (
            *disturbed(
                "callee", before, record.sp + plan.assignment.pops, record.left, machine, registers, addresses
            ),
            *forbidden("callee", record.left, machine, registers),
            *in_use("callee", record.left, machine, registers, plan.assignment, result),
            *overwritten("callee", record.written, registers),
            *miscounted(plan, "callee", plan.destroyed_in_callee, record.out, machine),
        ),
        right,
        None if right else entered_in(plan, machine, registers, number),
        tuple(computed(plan, "callee", plan.turns[number], record.out, machine.files)),
        tuple(mistyped("callee", plan.assignment, record.left, machine, registers)),
    )


def given_back(
    plan: CallPlan, record: Called, machine: Machine, registers: RegisterConvention, number: int
) -> Frame | None:
    """The registers that a caller found after its call, where it read a wrong result."""
    view = plan.turns[number].result_view
    if view is None or plan.slots.result is None or not view.differs(record.out[: plan.slots.result.size]):
        return None
    returns = caller_operation(plan, 0, machine, registers, number).returns
    return Frame(returns, machine.registers, machine.files, b"", 0)


def entered_in(plan: CallPlan, machine: Machine, registers: RegisterConvention, number: int) -> Frame:
    """The registers and the stack with which a callee was entered, and what stands beyond them."""
    given = callee_operation(plan, 0, machine, registers, number)
    beyond = bytes([given.stack_poison]) * STACK_MARGIN
    return Frame(given.enter, machine.registers, machine.files, given.stack + beyond, given.stack_offset)


def as_given(turn: Turn, out: bytes) -> bool:
    """Return whether a callee stored every parameter as it was given.

    One comparison, where one by one takes a third of all judging.
    """
    return turn.stored is not None and not turn.stored.differs(out)


def pair_seen(plan: CallPlan, record: Paired, machine: Machine, number: int) -> ObservedPair:
    """Return the observation in the record of a `Pair` in turn `number`: the callee's parameters, and the caller's result."""
    slots = plan.slots
    params = tuple(record.out[slot.offset : slot.offset + slot.size] for slot in slots.params)
    result = record.out[: slots.result.size if slots.result else 0]
    addresses = addresses_of(plan, record, machine, number)
    return ObservedPair(params, result, machine.files, as_given(plan.turns[number], record.out), addresses)


def disturbed(
    side: str,
    entered: bytes,
    sp: int,
    left: bytes,
    machine: Machine,
    registers: RegisterConvention,
    addresses: Addresses | None,
) -> Iterator[Difference]:
    """The callee-saved registers that a function did not leave as it found them, and a stack pointer that is not `sp`."""
    changed = (int.from_bytes(entered, "little") ^ int.from_bytes(left, "little")) & preserved(
        machine, registers
    )
    for kept in registers.preserved if changed else ():
        at, size = machine.lowest(kept.register, kept.size)
        before, after = (block[at : at + size] for block in (entered, left))
        numbers = (int.from_bytes(data, machine.order) for data in (before, after))
        if before != after and (next(numbers) ^ next(numbers)) & ~kept.free:
            whole, width = machine.registers[kept.register]
            around = left[whole : whole + width], at - whole
            seen = told(addresses, after, around=around)
            place = in_place(Register(kept.register), machine.files)
            yield Difference(side, "callee-saved", place, Bytes(before.hex(" ")), seen, kept.clause)
    away = machine.number(left, machine.sp) - sp
    if away:
        place, seen_away = in_place(Register(machine.sp), machine.files), moved(away)
        yield Difference(side, "stack pointer", place, Restored(), seen_away, registers.stack_pointer)


FAR = 1 << 16


def moved(away: int) -> Away:
    """Return the distance of the stack pointer from its proper value."""
    return Away(None if abs(away) > FAR else away)


def overwritten(
    side: str, written: tuple[Written, ...], registers: RegisterConvention
) -> Iterator[Difference]:
    """Yield the words of its caller's frame that a function changed."""
    frame = registers.caller_frame
    if frame is None:
        return
    for one in written:
        place, clause = InPlaces((Located(StackSlot(one.offset)),)), frame.clause_at(one.offset)
        yield Difference(side, "its caller's frame", place, Untouched(), Overwritten(one.size), clause)


@lru_cache
def preserved(machine: Machine, registers: RegisterConvention) -> int:
    """The bits of a state block, as one number whose lowest byte is the first, that a callee leaves as it found them."""
    bits = 0
    for kept in registers.preserved:
        offset, size = machine.lowest(kept.register, kept.size)
        own = ((1 << 8 * size) - 1 & ~kept.free).to_bytes(size, machine.order)
        bits |= int.from_bytes(own, "little") << 8 * offset
    return bits


def lost(
    plan: CallPlan,
    values: tuple[bytes, ...],
    out: bytes,
    registers: RegisterConvention,
    addresses: Addresses | None,
) -> Iterator[Difference]:
    """The values that a caller did not have any more after the call."""
    for item, slot, value in zip(LIVE, plan.slots.live, values, strict=False):
        kept = out[slot.offset : slot.offset + slot.size]
        if kept != value:
            what, expected = f"the caller's own {item.name}", Bytes(value.hex(" "))
            seen = told(addresses, kept)
            yield Difference("caller", what, LOCAL, expected, seen, registers.stack_pointer)


LOCAL = Named("a local variable")
OBJECTS = Named("the objects of the call")


POISON = 0xA5
"""The filling of `abi_out`: who does not store what only C is asked for leaves it there."""


def altered(
    plan: CallPlan,
    values: tuple[bytes, ...],
    out: bytes,
    registers: RegisterConvention,
    addresses: Addresses | None,
) -> Iterator[Difference]:
    """The caller's own objects that are not as they were before it passed copies of them.

    Where an address is passed, it should have been that of a copy. Any other object is one that a call leaves alone.
    """
    for index, slot in plan.slots.objects:
        passed, value = plan.assignment.params[index], values[index]
        kept = out[slot.offset : slot.offset + slot.size]
        if len(kept) == slot.size and set(kept) != {POISON} and differing(kept, value, passed.mask):
            what = f"the caller's own {passed.name}"
            by_address = passed.passing is Passing.INDIRECT
            clause = passed.clause if by_address else registers.stack_pointer
            expected, seen = both(value, kept, passed.mask, addresses)
            yield Difference("caller", what, LOCAL, expected, seen, clause)


def miscounted(
    plan: CallPlan, side: str, destroyed: int, out: bytes, machine: Machine
) -> Iterator[Difference]:
    """A number of objects that a function destroyed which is not the one that it has to."""
    slot = plan.slots.counted
    if slot is None:
        return
    counted = int.from_bytes(out[slot.offset : slot.offset + slot.size], machine.order)
    if counted != destroyed:
        yield Difference(
            side, "destroyed objects", OBJECTS, Words(str(destroyed)), Words(str(counted)), plan.destroyed_by
        )


def computed(plan: CallPlan, side: str, turn: Turn, out: bytes, files: Files) -> Iterator[Difference]:
    """Yield values that one side of a call computed wrongly from a value that it has as it was given."""
    for read, view in zip(plan.slots.reads, turn.read, strict=True):
        if (read.value == RESULT) is not (side == "caller"):
            continue
        slot, copied, passed = plan.slots.result, turn.result_view, plan.assignment.result
        if read.value != RESULT:
            slot, copied = plan.slots.params[read.value], turn.views[read.value]
            passed = plan.assignment.params[read.value]
        if slot is None or copied is None or passed is None:
            continue
        stored = out[read.slot.offset : read.slot.offset + read.slot.size]
        if len(stored) < read.slot.size or set(stored) <= {POISON} or not view.differs(stored):
            continue
        if copied.differs(out[slot.offset : slot.offset + slot.size]):
            continue
        seen = int.from_bytes(stored, "little")
        above = bool(view.own) and not (seen ^ view.bits) & view.own
        yield Difference(
            side,
            ".".join(part for part in (passed.name or "result", read.path) if part),
            of_pieces(passed.pieces, files),
            Bytes(spelled(view.bits, view.care, view.size)),
            Bytes(spelled(seen, view.care, view.size)),
            clause_above(read, passed, turn) if above else passed.clause,
            used(read, above=above),
            above=above,
        )


def clause_above(read: Read, passed: Passed, turn: Turn) -> str:
    """The clause on the bits that a part does not use: of its place, if it travels by itself, or of its type."""
    places = turn.result_places if read.value == RESULT else turn.places[read.value]
    # A value in memory has no places.
    for piece, place in zip(passed.pieces, places, strict=False):
        if piece.bit == read.at:
            return place.extension_clause
    return read.clause


def used(read: Read, *, above: bool) -> ReliesOnAbove | Used:
    """Return the use of a value that is wrong only then."""
    if above:
        return ReliesOnAbove()
    if read.form is Form.REAL:
        return Used(Use.CONVERTED)
    return Used(Use.WIDENED if read.significant < 8 * read.slot.size else Use.BY_ITSELF)

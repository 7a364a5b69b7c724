"""The state of registers, stack and memory at entry: all that the text demands of a call beside its values."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Called
from abiprobe.harness.observers.image.function_types import mistyped
from abiprobe.harness.observers.image.operations import buffer_pointer
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.engine.expect import expected
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Extension,
    Located,
    Passed,
    Passing,
    Piece,
    Register,
)
from abiprobe.results.verdicts.compare import in_place
from abiprobe.results.verdicts.locations import AddressIn
from abiprobe.results.verdicts.observations import Frame
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Beyond, Bounds, Constant, InUse, Multiple, Number, OtherThan


def entry_differences(
    plan: CallPlan, record: Called, machine: Machine, registers: RegisterConvention
) -> Iterator[Difference]:
    """Yield the differences from the text in the state at entry of the called function."""
    if record.captures:
        yield from forbidden("caller", record.captured, machine, registers)
        yield from in_use("caller", record.captured, machine, registers, plan.assignment, None)
        yield from misaligned(plan, record, machine, registers)
        yield from mistyped("caller", plan.assignment, record.captured, machine, registers)


def forbidden(
    side: str, block: bytes, machine: Machine, registers: RegisterConvention
) -> Iterator[Difference]:
    """The registers that hold what none may hold at the boundary of a function."""
    for one in registers.forbidden:
        value = machine.number(block, one.register)
        if value & one.bits == one.value:
            place = in_place(Register(one.register), machine.files)
            yield Difference(side, one.what, place, OtherThan(one.value), Constant(value), one.clause)


def in_use(
    side: str,
    block: bytes,
    machine: Machine,
    registers: RegisterConvention,
    call: Assignment,
    held: Passed | None,
) -> Iterator[Difference]:
    """More of a stack of registers in use, at the boundary of a function, than the value `held` is in."""
    stack = registers.stack_of_registers
    if stack is None or not stack.is_asked_of(call):
        return
    used, expected = machine.number(block, stack.tags).bit_count(), stack.holds(held)
    if used > expected:
        whole = used == stack.count
        what = stack.aliased if whole else stack.what
        clause = stack.alias_clause if whole else stack.clause
        place = in_place(Register(stack.tags), machine.files)
        yield Difference(side, what, place, InUse(expected), InUse(used), clause)


def misaligned(
    plan: CallPlan, record: Called, machine: Machine, registers: RegisterConvention
) -> Iterator[Difference]:
    """A stack pointer under which the arguments are not aligned as every call, or one of them, asks for."""
    area = plan.assignment
    known = area.area_align if area.area_align > 1 and not area.area_clause else registers.stack_align
    usual = machine.sp, known, registers.stack_alignment
    buffer = next(
        (piece.place.name for piece in buffer_pointer(area) if isinstance(piece.place, Register)),
        machine.sp,
    )
    for register, align, clause in (usual, (buffer, area.area_align, area.area_clause)):
        first = machine.number(record.captured, register) + machine.return_address
        if first % align:
            asked, place = Multiple(align, arguments=True), in_place(Register(register), machine.files)
            yield Difference("caller", "stack pointer", place, asked, beyond(first, align), clause)
            return


def misplaced_memory(plan: CallPlan, record: Called, machine: Machine) -> Iterator[Difference]:
    """The arguments in memory that is not aligned as the text says."""
    if not record.peeks:
        return
    indirect = (passed for passed in plan.assignment.params if passed.passing is Passing.INDIRECT)
    for passed, peeked in zip(indirect, record.peeks, strict=False):
        if peeked.data is not None and peeked.address % passed.memory_align:
            asked = Multiple(passed.memory_align)
            place = AddressIn(Located.of(passed.pieces[0].place, machine.files))
            seen = beyond(peeked.address, passed.memory_align)
            yield Difference("caller", passed.name, place, asked, seen, passed.memory_clause)


def misplaced_result(plan: CallPlan, frame: Frame, machine: Machine) -> Iterator[Difference]:
    """The memory for a result, if it is not aligned as the text says, or its address not extended so."""
    result = plan.assignment.result
    if result is None:
        return
    for hidden in plan.assignment.hidden:
        for piece in hidden.pieces if hidden.role == RESULT_POINTER and frame.block else ():
            yield from unextended(piece, frame, machine)
            address = number_in(frame, piece, machine)
            if address % result.memory_align:
                asked = Multiple(result.memory_align)
                place = AddressIn(Located.of(piece.place, machine.files))
                seen = beyond(address, result.memory_align)
                yield Difference("caller", "result", place, asked, seen, result.memory_clause)


def beyond(address: int, align: int) -> Beyond:
    """Return the distance of an address above a multiple of an alignment."""
    return Beyond(address % align)


def number_in(frame: Frame, piece: Piece, machine: Machine) -> int:
    """The number in the place of a piece, 0 where it cannot be read."""
    size = piece.end - piece.start
    seen = frame.read(expected(piece, bytes(size), b"\xff" * size)) or 0
    own = seen >> 8 * piece.at & (1 << 8 * size) - 1
    return int.from_bytes(own.to_bytes(size, "little"), machine.order)


def out_of_bounds(plan: CallPlan, frame: Frame, machine: Machine) -> Iterator[Difference]:
    """The hidden arguments of a call that are no number that the text allows."""
    for hidden in plan.assignment.hidden:
        for piece in hidden.pieces if hidden.bounds is not None and frame.block else ():
            least, most = hidden.bounds or (0, 0)
            number = number_in(frame, piece, machine)
            if not least <= number <= most:
                asked, place = Bounds(least, most), in_place(piece.place, machine.files)
                yield Difference("caller", hidden.role, place, asked, Number(number), piece.clause)


def unextended(piece: Piece, frame: Frame, machine: Machine) -> Iterator[Difference]:
    """The bits above the address of the memory for a result, if they are not zero where the text asks for that."""
    if piece.extension is Extension.ZERO:
        wanted = expected(piece, bytes(piece.end), bytes(piece.end))
        above = (frame.read(wanted) or 0) & wanted.care
        if above:
            place = AddressIn(Located.of(piece.place, machine.files))
            yield Difference("caller", "result", place, Constant(0), Constant(above), piece.extension_clause)

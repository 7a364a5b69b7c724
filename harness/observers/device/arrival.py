"""Arrival of values: whether a callee looks for them where the caller passes them, from the machine code of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.assembler import reading
from abiprobe.harness.observers.device.conduct import misconduct
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.judging import same
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.state import STACK_POINTER, State
from abiprobe.harness.observers.device.sass.symbols import (
    EntryByte,
    InBuffer,
    Masked,
    Returned,
    Stack,
    Symbol,
    pointer,
)
from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.abis.ptx.sass.places import COUNT, FIRST
from abiprobe.oracles.text.place import Passed, Passing, StackSlot
from abiprobe.results.verdicts.locations import InMemory
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import DeclaredAlignment, Words

SILENT = "nvlink says nothing"


def arrivals(
    plan: DevicePlan, there: ObservedDeviceCall, here: ObservedDeviceCall, *, silent: bool
) -> Iterator[Difference]:
    """Yield the values that do not arrive, and those in memory less aligned than the callee believes.

    `silent` says that the linker took the pair. Raises `UndecodedError` for a byte that cannot be told.
    """
    caller, callee = there.caller, here.callee
    assert not isinstance(caller, Failed)
    assert not isinstance(callee, Failed)
    own = reading.only_call(caller)
    for passed, copied in zip(plan.assignment.params, plan.slots.params, strict=True):
        size = reading.carried(passed, copied.size)
        looks = reading.stored(callee, copied.slot, size)
        found = [at_call(own, symbol) for symbol in looks]
        wanted = reading.loaded(copied.slot, size)
        note = f"passed in {holder(own, wanted[0])}, read from {reading.spelled(looks[0])}" if looks else ""
        text = "; ".join([note, *[SILENT] * silent])
        yield from first(passed, wanted, found, looks, Words(text) if text else None)
    result, copied_back = plan.assignment.result, plan.slots.result
    if result is not None and copied_back is not None:
        size = reading.carried(result, copied_back.size)
        takes = reading.taken(caller, size)
        found = [at_return(callee, symbol) for symbol in takes]
        wanted = reading.loaded(copied_back.slot, size)
        yield from first(result, wanted, found, takes, Words(SILENT) if silent else None)
    yield from misaligned(plan, there, here)
    for own_side, state in (("caller", caller), ("callee", callee)):
        yield from (as_pair(one, own_side) for one in misconduct("pair", plan, state))


def as_pair(fault: Difference, side: str) -> Difference:
    """A fault of one side, by which a call does not come to its end."""
    return msgspec.structs.replace(fault, note=Words(f"the {side}'s"))


def at_call(own: State, symbol: Symbol) -> Symbol:
    """Return the symbol at a call where the callee finds a byte."""
    match symbol:
        case EntryByte(number, byte):
            return own.read(number)[byte]
        case Stack(offset):
            where = pointer(own.read(STACK_POINTER))
            if where is None:
                raise UndecodedError("the stack pointer at the call")
            return own.memory.get((where[0], where[1] + offset))
        case Masked(of, mask):
            inner = at_call(own, of)
            return inner if isinstance(inner, Masked) else Masked(inner, mask)
        case _:
            return symbol


def at_return(own: State, symbol: Symbol) -> Symbol:
    """Return the symbol at the return of a callee where the caller finds a byte of the result."""
    match symbol:
        case Returned(number, byte):
            return own.read(number)[byte]
        case InBuffer(offset):
            return own.memory.get((reading.HIDDEN, offset))
        case Masked(of, mask):
            inner = at_return(own, of)
            return inner if isinstance(inner, Masked) else Masked(inner, mask)
        case _:
            return symbol


def first(
    passed: Passed,
    wanted: Sequence[Symbol],
    found: Sequence[Symbol],
    places: Sequence[Symbol],
    note: Words | None,
) -> Iterator[Difference]:
    """The first byte of a value that does not arrive, if it is one that counts."""
    for byte, (expected, seen) in enumerate(zip(wanted, found, strict=True)):
        care = passed.mask[byte]
        if not care or same(expected, seen, care):
            continue
        what = f"{passed.name or 'result'}[{byte}]"
        if seen is None or isinstance(seen, Masked):
            raise UndecodedError(f"{what} cannot be told")
        piece = next((piece for piece in passed.pieces if piece.start <= byte < piece.end), None)
        clause = piece.clause if piece is not None else passed.clause
        values = reading.value(expected), reading.value(seen)
        yield Difference("pair", what, reading.where(places[byte]), *values, clause, note)
        return


def holder(own: State, symbol: Symbol) -> str:
    """Return the place where the caller has a byte at its call, in words."""
    for number in range(FIRST, FIRST + COUNT):
        if symbol in own.read(number):
            return f"R{number}"
    where = pointer(own.read(STACK_POINTER))
    for (base, offset), held in own.memory.items():
        if held == symbol and where is not None and base == where[0] and offset >= where[1]:
            return f"stack+{offset - where[1]}"
    return "no place"


def misaligned(plan: DevicePlan, there: ObservedDeviceCall, here: ObservedDeviceCall) -> Iterator[Difference]:
    """Values in memory that the callee declares with a larger alignment than the caller: it may access them in one go."""
    if there.declared is None or here.signature is None:
        return
    values = zip(plan.assignment.params, there.declared.params, here.signature.params, strict=False)
    for passed, sees, has in values:
        if any(isinstance(piece.place, StackSlot) for piece in passed.pieces):
            yield from less_aligned(passed, sees.param, has.param)
    result = plan.assignment.result
    if result is None or there.declared.result is None or here.signature.result is None:
        return
    if result.passing is Passing.INDIRECT:
        yield from less_aligned(result, there.declared.result.param, here.signature.result.param)


def less_aligned(passed: Passed, sees: Parameter, has: Parameter) -> Iterator[Difference]:
    """One value."""
    if has.align > max(sees.align, 4) and passed.param is not None:
        alignments = DeclaredAlignment(has.align), DeclaredAlignment(sees.align)
        note = Words("nvlink compares no alignments")
        what, clause = passed.name or "result", passed.param.clause
        yield Difference("pair", what, InMemory(), *alignments, clause, note)

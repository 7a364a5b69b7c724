"""Verdicts on device calls: declaration, caller, callee and result, byte by byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.assembler import reading
from abiprobe.harness.observers.device.conduct import misconduct
from abiprobe.harness.observers.device.declarations import declarations, judge_declarations, through_pointer
from abiprobe.harness.observers.device.device_calls import ObservedDeviceCall
from abiprobe.harness.observers.device.plan import DevicePlan, kinds
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.sass.symbols import (
    EntryByte,
    InBuffer,
    Loaded,
    Masked,
    Partial,
    Returned,
    Sign,
    Stack,
    Symbol,
)
from abiprobe.oracles.abis.ptx.parameter import Parameter, array
from abiprobe.oracles.abis.ptx.sass.places import FILES, assign
from abiprobe.oracles.language.lang import Kind, Scalar, Type, strip
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Extension, Passed, Passing, Register, StackSlot
from abiprobe.results.verdicts.compare import in_place
from abiprobe.results.verdicts.locations import InMemory
from abiprobe.results.verdicts.notes import DeclaredAs
from abiprobe.results.verdicts.record import Difference, Outcome, Verdict, from_differences, unobserved


def judged_device(plan: DevicePlan, seen: ObservedDeviceCall | Failed) -> tuple[Verdict, ...]:
    """The verdicts on one prototype, one for each kind of probe."""
    if isinstance(seen, Failed):
        return tuple(unobserved(plan.probe, kind, seen.outcome, seen.words) for kind in kinds(plan.prototype))
    return tuple(judge(plan, seen, kind) for kind in kinds(plan.prototype))


def judge(plan: DevicePlan, seen: ObservedDeviceCall, kind: ProbeKind) -> Verdict:
    """The verdict of one kind."""
    conduct: Iterator[Difference] = iter(())
    try:
        match kind:
            case ProbeKind.PARAM:
                return judge_declarations(plan, seen)
            case ProbeKind.CALLER:
                found = caller_differences(plan, usable(seen.caller))
                conduct = misconduct("caller", plan, usable(seen.caller))
            case ProbeKind.CALLEE:
                found = callee_differences(plan, usable(seen.callee))
                conduct = misconduct("callee", plan, usable(seen.callee))
            case ProbeKind.POINTER:
                state = usable(seen.pointer or NO_POINTER)
                conduct = misconduct("caller", plan, state)
                found = pointer_differences(plan, seen, state)
                return from_differences(plan.probe, kind, (*found, *conduct))
            case _:
                found = result_differences(plan, usable(seen.caller), usable(seen.callee))
        return from_differences(plan.probe, kind, (*blamed(plan, seen, tuple(found)), *conduct))
    except UndecodedError as error:
        # What is wrong wherever values are is so wherever they are.
        if wrong := tuple(conduct):
            return from_differences(plan.probe, kind, wrong)
        return unobserved(plan.probe, kind, Outcome.UNDECODED, str(error))
    except UnusableError as error:
        return unobserved(plan.probe, kind, error.failed.outcome, error.failed.words)


def blamed(
    plan: DevicePlan, seen: ObservedDeviceCall, found: tuple[Difference, ...]
) -> tuple[Difference, ...]:
    """Differences with the clause of the declaration that is not as written, from which other places follow."""
    root = next(iter(declarations(plan, seen)), None)
    if root is None:
        return found
    note = DeclaredAs(root.what, root.seen)
    return tuple(msgspec.structs.replace(item, clause=root.clause, note=note) for item in found)


class UnusableError(Exception):
    """A side of a call was not observed; `failed` says why."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.words)
        self.failed = failed


def usable(state: State | Failed) -> State:
    """A state that was reached; raises `UnusableError` for one that was not."""
    if isinstance(state, Failed):
        raise UnusableError(state)
    return state


def callee_differences(plan: DevicePlan, state: State) -> Iterator[Difference]:
    """Parameters that a callee reads elsewhere."""
    for passed, copied in zip(plan.assignment.params, plan.slots.params, strict=True):
        size = reading.carried(passed, copied.size)
        expected = tuple(at_entry(passed, byte) for byte in range(size))
        yield from compare("callee", passed, expected, reading.stored(state, copied.slot, size))


def caller_differences(plan: DevicePlan, state: State) -> Iterator[Difference]:
    """Arguments that a caller puts elsewhere, and narrow ones that it does not extend."""
    own = reading.only_call(state)
    values = zip(plan.prototype.params, plan.assignment.params, plan.slots.params, strict=True)
    for param, passed, copied in values:
        size = reading.carried(passed, copied.size)
        seen = tuple(reading.at_call(own, place_of(passed, byte)) for byte in range(size))
        moved = tuple(compare("caller", passed, reading.loaded(copied.slot, size), seen))
        yield from moved or extension(param.type, passed, own, copied.slot)


NO_POINTER = Failed(Outcome.NOTHING, "no call through a pointer was seen")


def pointer_differences(plan: DevicePlan, seen: ObservedDeviceCall, state: State) -> Iterator[Difference]:
    """Yield what a call through a pointer declares otherwise than the function, and values that it puts elsewhere."""
    root = next(through_pointer(plan, seen), None)
    if root is not None:
        yield root
    moved = pointed_differences(plan, state)
    note = None if root is None else DeclaredAs(root.what, root.seen)
    for item in blamed(plan, seen, tuple(moved)) if root is None else moved:
        yield item if root is None else msgspec.structs.replace(item, clause=root.clause, note=note)


def pointed_differences(plan: DevicePlan, state: State) -> Iterator[Difference]:
    """Arguments of a call through a pointer, and its result, that are elsewhere than its own declaration says."""
    back = plan.assignment.result
    places = assign(
        [by_pointer(one) for one in plan.assignment.params if one.param is not None],
        None if back is None or back.param is None else by_pointer(back),
    )
    placed = iter(places.params)
    for passed, copied in zip(plan.assignment.params, plan.slots.params, strict=True):
        size = reading.carried(passed, copied.size)
        if passed.param is not None:
            found = reading.passed(state, next(placed), size)
            yield from compare("caller", passed, reading.loaded(copied.slot, size), found)
    if back is not None and plan.slots.result is not None:
        yield from taken_differences(plan, state)


def by_pointer(passed: Passed) -> Parameter:
    """A value as the prototype of a call through a pointer declares it."""
    assert passed.param is not None
    return array(passed.param.by_pointer or passed.param.align, passed.param.size)


def result_differences(plan: DevicePlan, caller: State, callee: State) -> Iterator[Difference]:
    """A result that a callee leaves, or a caller looks for, elsewhere."""
    result, copied = plan.assignment.result, plan.slots.result
    assert result is not None
    assert copied is not None
    hidden = result.passing is Passing.INDIRECT
    size = reading.carried(result, copied.size)
    expected = reading.loaded(copied.slot, size)
    yield from compare("callee", result, expected, reading.left(callee, size, hidden=hidden))
    yield from taken_differences(plan, caller)


def taken_differences(plan: DevicePlan, caller: State) -> Iterator[Difference]:
    """A result that a caller looks for elsewhere."""
    result, copied = plan.assignment.result, plan.slots.result
    assert result is not None
    assert copied is not None
    size = reading.carried(result, copied.size)
    there: tuple[Symbol, ...] = tuple(
        InBuffer(byte) if result.passing is Passing.INDIRECT else at_return(result, byte)
        for byte in range(size)
    )
    yield from compare("caller", result, there, reading.taken(caller, size))


def place_of(passed: Passed, byte: int) -> tuple[Register | StackSlot, int]:
    """The place of a byte, and which byte of the place it is."""
    piece = next(piece for piece in passed.pieces if piece.start <= byte < piece.end)
    return piece.place, byte - piece.start


def at_entry(passed: Passed, byte: int) -> Symbol:
    """The symbol of a parameter's byte where the model puts it."""
    place, index = place_of(passed, byte)
    return (
        Stack(place.offset + index) if isinstance(place, StackSlot) else EntryByte(int(place.name[1:]), index)
    )


def at_return(passed: Passed, byte: int) -> Symbol:
    """The symbol of a result's byte where the model has it."""
    place, index = place_of(passed, byte)
    assert isinstance(place, Register)
    return Returned(int(place.name[1:]), index)


def compare(
    side: str, passed: Passed, expected: Sequence[Symbol], seen: Sequence[Symbol]
) -> Iterator[Difference]:
    """The first byte of a value that is elsewhere, if it is one that counts.

    Raises `UndecodedError` when a byte cannot be told and none is elsewhere.
    """
    care = passed.mask
    unknown = None
    for byte, (wanted, found) in enumerate(zip(expected, seen, strict=True)):
        if not care[byte] or same(wanted, found, care[byte]):
            continue
        if found is None or isinstance(found, Masked | Partial):
            unknown = byte if unknown is None else unknown
            continue
        piece = next((piece for piece in passed.pieces if piece.start <= byte < piece.end), None)
        clause = piece.clause if piece is not None else passed.clause
        what = f"{passed.name or 'result'}[{byte}]"
        where = in_place(piece.place, FILES) if piece is not None else InMemory()
        yield Difference(side, what, where, reading.value(wanted), reading.value(found), clause)
        return
    if unknown is not None:
        raise UndecodedError(f"byte {unknown} of {passed.name or 'the result'} of the {side} cannot be told")


def same(wanted: Symbol, found: Symbol, care: int) -> bool:
    """Return whether a byte is the expected one, in the bits that count; a _Bool may come as its lowest bit alone."""
    if wanted == found:
        return wanted is not None
    if isinstance(found, Partial):
        return found.of == wanted and not care & ~found.mask
    return isinstance(found, Masked) and found.of == wanted and (found.mask == 1 or not care & ~found.mask)


def extension(c_type: Type, passed: Passed, state: State, slot: int) -> Iterator[Difference]:
    """Yield wrong extensions of a narrow integer, if the guide defines them and the code shows them."""
    if not passed.pieces:
        return
    piece = passed.pieces[-1]
    if piece.extension not in {Extension.SIGN, Extension.ZERO} or not isinstance(piece.place, Register):
        return
    word = state.read(int(piece.place.name[1:]))
    top = Loaded(slot + piece.end - 1)
    for symbol in word[piece.end - piece.start :]:
        wanted: Symbol = Sign(top) if piece.extension is Extension.SIGN else 0
        # The top bit of a _Bool is 0, and so is whatever repeats it.
        harmless = symbol == Sign(top) and strip(c_type) == Scalar(Kind.BOOL)
        if symbol is not None and symbol != wanted and not harmless:
            values = reading.value(wanted), reading.value(symbol)
            place, clause = in_place(piece.place, FILES), piece.extension_clause or piece.clause
            yield Difference("caller", passed.name, place, *values, clause, above=True)
            return

"""The result of an inference about an open call: the place of each part of each value in the compiler's code.

A part is where the caller puts it and the callee takes it from, whole or in pieces. One that was looked for and not found
is told as well, with no place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from abiprobe.harness.machines.executors.replay import Died
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Paired
from abiprobe.harness.observers.image.open_inference import Inference, result_parts, results
from abiprobe.harness.observers.image.open_sides import PartOfSides, sides_of, written_for_caller
from abiprobe.harness.observers.image.parts import ENOUGH, ENOUGH_ALONE, RESULT, ValuePart, bytes_of
from abiprobe.harness.observers.image.pieces import Held, Traced, combined
from abiprobe.harness.observers.image.tracing import places_holding
from abiprobe.oracles.engine.extended import extended, is_finite
from abiprobe.oracles.text.place import Located, Register, RegisterFile
from abiprobe.results.verdicts.locations import AtAddress
from abiprobe.results.verdicts.record import Shown
from abiprobe.results.verdicts.values import Words

AMBIGUOUS = 6
"""So many places in which a value is by chance tell nothing."""
MADE = Words("made")
UNFOUND, ELSEWHERE = Words("no place that was found"), Words("another place")
SOMETIMES = Words("another place in one of two calls")
TOP = "st0"
"""The register at the top of the x87 stack, where a machine has one."""
X87 = Located(Register(TOP), 0, RegisterFile.X87)

Places: TypeAlias = tuple[Held, ...]
Sides: TypeAlias = tuple[Places, Places]
"""Where one side puts a part, and where the other side takes it from."""


def shown_parts(one: Inference, machine: Machine) -> Iterator[Shown]:
    """Yield the result of an inference: each part with its places, and, where caller and callee disagree, both."""
    if one.failure:
        yield Shown("the call", (MADE,), (Words(f"nowhere: {one.failure}"),))
        return
    dead = next((item for item in one.arrived if isinstance(item, Died)), None)
    for part in one.parts if dead is None else ():
        shown = shown_part(one, part, machine)
        if part.mask or shown.taken:
            yield shown
    if dead is not None:
        yield Shown("the call", (MADE,), (Words(f"nowhere: the program dies: {dead.why}"),))


def shown_part(one: Inference, part: ValuePart, machine: Machine) -> Shown:
    """Return the result of an inference for one part; without a place if it cannot be told from others."""
    sides = returned if part.value == RESULT else passed
    at, taken = sides(one, part, machine) if is_recognised(one, part, ENOUGH) else ((), ())
    if not delivered(one, part, machine):
        # What is lost although both have it in one place is lost where the stack stands otherwise, in one of the calls.
        lost = (SOMETIMES,) if set(at) & set(taken) else taken[:AMBIGUOUS] or (ELSEWHERE,)
        return Shown(part.what, at[:AMBIGUOUS] or (UNFOUND,), lost) if part.sure else absent(part)
    found: tuple[Traced, ...] = certain(one, part, at, taken) or in_pieces(one, part, sides, machine)
    return Shown(part.what, found) if len(found) <= AMBIGUOUS else absent(part)


def sides_shown(one: Inference, machine: Machine) -> Iterator[PartOfSides]:
    """Yield each part with its places on each side of the call."""
    alive = all(isinstance(item, Paired) for item in one.arrived)

    def find(one: Inference, part: ValuePart, machine: Machine) -> Sides:
        return (returned if part.value == RESULT else passed)(one, part, machine)

    sides = sides_of(one, find, machine, lambda part: alive and delivered(one, part, machine))
    return sides if alive else (written_for_caller(one, part) for part in sides)


def absent(part: ValuePart) -> Shown:
    """A part that was looked for and not found."""
    return Shown(part.what, ())


def certain(one: Inference, part: ValuePart, at: Places, taken: Places) -> Places:
    """Return the places of a part that arrives as a whole, as far as they are known."""
    if is_in_memory(part, at):
        return at
    common = tuple(place for place in at if place in taken)
    if common or one.read is not None:
        return common
    # Where the callee could not be asked, the only place in which the part is is where it travels. That is not known where
    # an address was not followed: the part may lie there, and a register may have the copy that was left on the way.
    alone = one.followed and len(at) == 1 and is_recognised(one, part, ENOUGH_ALONE)
    return at if alone else ()


def is_in_memory(part: ValuePart, at: Places) -> bool:
    """Return whether a callee wrote a part of its result through an address that the caller gave it; the caller takes it there."""
    return part.value == RESULT and bool(at) and all(isinstance(place, AtAddress) for place in at)


def is_recognised(one: Inference, part: ValuePart, enough: int) -> bool:
    """Return whether a part has enough bits in all turns together not to be found somewhere by chance."""
    return part.bits * len(one.turns) >= enough


def in_pieces(
    one: Inference, part: ValuePart, sides: Callable[[Inference, ValuePart, Machine], Sides], machine: Machine
) -> tuple[Traced, ...]:
    """Return the places of a part that arrives with its bytes in several places; empty if one of them is not found."""
    found = []
    for piece in bytes_of(part):
        at, taken = sides(one, piece, machine)
        common = at if is_in_memory(piece, at) else tuple(place for place in at if place in taken)
        if not common:
            return ()
        found.append((piece.start, common))
    return combined(found, AMBIGUOUS)


def passed(one: Inference, part: ValuePart, machine: Machine) -> Sides:
    """Return the places where the caller puts a part of an argument, and those from which the callee takes it."""
    values = tuple(turn.values[part.value] for turn in one.turns)
    at = places_holding(part, values, one.passed or (), machine)
    if one.read is None:
        return at, ()
    slot = one.plan.slots.params[part.value]
    size = one.plan.assignment.params[part.value].size
    stored = tuple(stored_value(out, slot, size, machine) for out in one.read)
    # Zeros are no noise that the callee was given: they stand above every address.
    read = any(part.of(data) for data in stored)
    return at, places_holding(part, stored, one.given, machine) if read else ()


def returned(one: Inference, part: ValuePart, machine: Machine) -> Sides:
    """Return the places where the callee leaves a part of the result, and those from which the caller takes it."""
    at = left_at(one, part, machine)
    slot, result = one.plan.slots.result, one.plan.assignment.result
    if one.taken is None or slot is None or result is None:
        return at, ()
    stored = tuple(stored_value(out, slot, result.size, machine) for out in one.taken)
    taken = places_holding(part, stored, one.returned, machine)
    as_left = X87 in at and all(
        part.of(data) == part.of(value) for data, value in zip(stored, results(one), strict=True)
    )
    return at, (*taken, *((X87,) if as_left else ()))


def left_at(one: Inference, part: ValuePart, machine: Machine) -> Places:
    """Return the places where the callee left a part of its result."""
    if one.left is None:
        return ()
    key = part.start, part.end
    if key not in one.found:
        found = places_holding(part, results(one), one.left, machine)
        # A copy may well be left in a register on the way to memory, of which only what was written is looked at.
        written = tuple(place for place in found if isinstance(place, AtAddress))
        one.found[key] = written or (*found, *((X87,) if in_x87(one, machine) else ()))
    return one.found[key]


def in_x87(one: Inference, machine: Machine) -> bool:
    """Return whether the callee left its result as an extended real."""
    result = one.plan.assignment.result
    if TOP not in machine.registers or result is None or result.size not in {4, 8} or one.left is None:
        return False
    return all(
        is_finite(value) and int.from_bytes(machine.read(state.block, TOP), "little") == extended(value)
        for value, state in zip(results(one), one.left, strict=True)
    )


def left_in(one: Inference, part: ValuePart, machine: Machine) -> Places:
    """Return the places of a part of the result, or of each byte of it; empty if one of them was not found."""
    whole = left_at(one, part, machine)
    if whole:
        return whole
    pieces = [left_at(one, piece, machine) for piece in bytes_of(part)]
    return tuple(place for found in pieces for place in found) if all(pieces) else ()


def in_registers(one: Inference, machine: Machine) -> bool:
    """Return whether the callee left all of a result, and in registers."""
    places = [left_in(one, part, machine) for part in result_parts(one)]
    return (
        0 <= one.pops <= one.window
        and bool(places)
        and all(found and not any(isinstance(place, AtAddress) for place in found) for found in places)
    )


def is_x87(place: Held) -> bool:
    """Return whether a place is in the register at the top of the x87 stack."""
    return isinstance(place, Located) and place.place == X87.place


def stored_value(out: bytes, slot: Slot, size: int, machine: Machine) -> bytes:
    """A value of `size` bytes as compiled code stored it; a narrow integer was widened."""
    before = slot.size - size if slot.narrow and machine.order == "big" else 0
    return out[slot.offset + before : slot.offset + max(slot.size, size)]


def delivered(one: Inference, part: ValuePart, machine: Machine) -> bool:
    """Return whether a part arrived when the caller called the callee, in every turn of the plan."""
    slots, assignment = one.plan.slots, one.plan.assignment
    slot, given = (
        (slots.result, assignment.result)
        if part.value == RESULT
        else (slots.params[part.value], assignment.params[part.value])
    )
    assert slot is not None, "a result has a slot"
    assert given is not None, "a result that is followed is there"
    for turn, item in zip(one.plan.turns, one.arrived, strict=True):
        assert isinstance(item, Paired), "a program that died delivers nothing"
        value = (turn.result or b"") if part.value == RESULT else turn.values[part.value]
        data = stored_value(item.out, slot, given.size, machine)
        if part.kept_of(data) != part.kept_of(value):
            return False
    return True

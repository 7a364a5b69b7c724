"""An open question as each side of a call answers it, held against what a dialect says of that side alone.

The places that caller and callee share tell little where they disagree, or where one of them dies. So the callee is entered with addresses
where its own dialect has some, and noise elsewhere, and every place is kept of each part, whole and byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.image.open_inference import Inference
from abiprobe.harness.observers.image.parts import ENOUGH, RESULT, ValuePart, bytes_of
from abiprobe.harness.observers.image.pieces import Held
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.text.place import Located
from abiprobe.results.verdicts.locations import AtAddress, Spot
from abiprobe.results.verdicts.record import Shown

CALLER, CALLEE = (side.value for side in (Side.CALLER, Side.CALLEE))
"""The names of the readings of the two sides."""
Places: TypeAlias = tuple[Held, ...]
Find: TypeAlias = Callable[[Inference, ValuePart, Machine], tuple[Places, Places]]
"""Finds where one side puts a part, and where the other one takes it from."""
Said: TypeAlias = Mapping[str, AbstractSet[Spot]]
"""The places that a dialect has for parts, by name."""


class PartOfSides(msgspec.Struct, frozen=True):
    """A part of a value, or a byte of one: where one side puts it (`at`), and where the other takes it from (`taken`).

    `taken` is `None` where that side could not be asked; `arrived` says that the part came over all the same. `each` are its bytes.
    """

    what: str
    at: Places
    taken: Places | None
    arrived: bool
    is_result: bool
    each: tuple[PartOfSides, ...] = ()


def has_sides(readings: Mapping[str, object]) -> bool:
    """Return whether there are readings of the caller and of the callee by themselves."""
    return {CALLER, CALLEE} <= readings.keys()


def sides_of(
    one: Inference, find: Find, machine: Machine, arrived: Callable[[ValuePart], bool]
) -> Iterator[PartOfSides]:
    """Yield each part that is recognised, with its places on each side; none where a caller makes no call."""
    for part in one.parts if not one.failure else ():
        if part.bits * len(one.turns) >= ENOUGH:
            each = tuple(side_of(one, find, machine, byte, arrived=False) for byte in bytes_of(part))
            yield msgspec.structs.replace(side_of(one, find, machine, part, arrived=arrived(part)), each=each)


def side_of(one: Inference, find: Find, machine: Machine, part: ValuePart, *, arrived: bool) -> PartOfSides:
    """One part with its places on each side."""
    at, taken = find(one, part, machine)
    asked = one.taken if part.value == RESULT else one.read
    return PartOfSides(part.what, at, taken if asked is not None else None, arrived, part.value == RESULT)


def written_for_caller(one: Inference, part: PartOfSides) -> PartOfSides:
    """A part of the result of a program that dies, which tells no arrival: one in memory is taken where the caller gave its address."""
    if not part.is_result or part.taken is not None:
        return part
    each = tuple(written_for_caller(one, byte) for byte in part.each)
    states = one.passed or ()
    given = bool(part.at) and all(
        isinstance(place, AtAddress) and all(place.pointer in state.memory for state in states)
        for place in part.at
    )
    return msgspec.structs.replace(part, taken=part.at if given else None, each=each)


def addressed(readings: Mapping[str, Sequence[Shown]]) -> frozenset[Located]:
    """The places in which the dialect of a callee has the address of a value."""
    spots = (spot for shown in readings[CALLEE] for spot in shown.at)
    return frozenset(spot.pointer for spot in spots if isinstance(spot, AtAddress))


def follow_dialects(sides: Sequence[PartOfSides], readings: Mapping[str, Iterable[Shown]]) -> bool:
    """Return whether each side has every part where its own dialect has it, and there is one at all."""
    caller, callee = (said(readings[name]) for name in (CALLER, CALLEE))
    answers = [follows(part, *((callee, caller) if part.is_result else (caller, callee))) for part in sides]
    return any(answer is not None for answer in answers) and all(answer is not False for answer in answers)


def said(reading: Iterable[Shown]) -> Said:
    """The places of a reading by the names of the parts."""
    return {one.what: set(one.at) for one in reading if one.at}


def follows(part: PartOfSides, put: Said, took: Said) -> bool | None:
    """Return whether both sides have a part where they are said to; `None` where nothing is said of it.

    Of a side that could not be asked no more is known than whether a part has arrived, which tells it if both are said to have it
    in one place, and if one is said to lose it.
    """
    puts, takes = told(part, put), told(part, took)
    if not (puts or takes):
        return None
    if part.taken is None and not puts:
        return not part.arrived
    if part.taken is None:
        return part.arrived and puts == takes and is_there(puts, lambda one: one.at)
    return is_there(puts, lambda one: one.at) and is_there(takes, lambda one: one.taken or ())


Told: TypeAlias = tuple[tuple[PartOfSides, AbstractSet[Spot]], ...]
"""A part and its bytes, as far as something is said of them, with the places that they are said to have."""


def told(part: PartOfSides, said: Said) -> Told:
    """Return what is said of a part and its bytes."""
    return tuple((one, said[one.what]) for one in (part, *part.each) if one.what in said)


def is_there(said: Told, seen: Callable[[PartOfSides], Places]) -> bool:
    """Return whether one side has a part as a whole, or each of its bytes, where it is said to; also if nothing is said."""
    there = [(bool(one.each), bool(places & set(seen(one)))) for one, places in said]
    each = [found for is_whole, found in there if not is_whole]
    return not said or (True, True) in there or (bool(each) and all(each))

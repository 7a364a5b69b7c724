"""Classify where a deviating value belongs (result, register, stack, reference), for known-deviation entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import takewhile

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom, sides_moved
from abiprobe.results.verdicts.locations import AddressIn, InMemory, InPlaces, is_on_stack
from abiprobe.results.verdicts.record import Difference, Verdict


class Place(Enum):
    """The kinds of places in which a value is to be."""

    RESULT = "result"
    """a result, wherever it is"""
    REGISTER = "register"
    """an argument in registers only"""
    STACK = "stack"
    """an argument that is, at least in part, on the stack"""
    MEMORY = "memory"
    """an argument that is passed by reference"""


def places_of(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """The places of the values in which a fingerprint shows, sorted; none for what is no call.

    A pair shows what both of its sides do, and so has no part in the fingerprint of either.
    """
    return tuple(sorted({place_of(item).value for item in telling(fingerprint, verdicts)}))


def telling(fingerprint: Fingerprint, verdicts: Iterable[Verdict]) -> Iterator[Difference]:
    """The differences in which a fingerprint of a call shows: the first misplaced value of each side, or the bits above what precedes it.

    Unnamed arguments tell nothing on a side that has a named one elsewhere.
    """
    given = [one for one in verdicts if one.kind is not ProbeKind.PAIR]
    moved = sides_moved(given)
    for verdict in given:
        for side in verdict.sides:
            if verdict.kind is ProbeKind.VARIADIC and side in moved:
                continue
            for item in _first_of(fingerprint.symptom, verdict, side):
                if item.clause == fingerprint.clause:
                    yield item


def _first_of(symptom: Symptom, verdict: Verdict, side: str) -> Iterator[Difference]:
    """The difference that counts for a symptom on one side of a verdict."""
    first = verdict.misplaced.get(side)
    if symptom is Symptom.MISPLACED and first is not None:
        yield first
    if symptom is Symptom.ABOVE:
        own = (item for item in verdict.differences if item.side == side)
        yield from takewhile(lambda item: item.above, own)


def place_of(item: Difference) -> Place:
    """Return where the text puts the value of one difference."""
    if item.what == "result":
        return Place.RESULT
    if item.what == "stack pointer":
        # It stands where the arguments on the stack are not aligned.
        return Place.STACK
    match item.place:
        case InMemory() | AddressIn():
            return Place.MEMORY
        case InPlaces(at) if any(map(is_on_stack, at)):
            return Place.STACK
        case _:
            return Place.REGISTER

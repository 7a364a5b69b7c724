"""Values that travel in pieces: each byte of a part in a place of its own, or several together.

A compiler may take a value apart that another one keeps together: a vector of four bytes in four registers. Then a part
of it is nowhere as a whole, and its bytes are followed one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod

import msgspec

IN_REGISTER = re.compile(r"(?P<name>[A-Za-z]\w*)(?:\[(?P<at>\d+)\])?")
ON_STACK = re.compile(r"(?P<name>stack)\+(?P<at>\d+)")


class Run(msgspec.Struct, frozen=True):
    """Bytes that travel side by side: where the first one is, and how many there are."""

    place: str
    length: int

    def __str__(self) -> str:
        return f"{self.place} ({self.length} bytes)" if self.length > 1 else self.place


def in_pieces(places: Sequence[tuple[int, str]]) -> str:
    """The place of a part in words, from the place of each of its bytes; `places` begin with the number of the byte."""
    runs: list[Run] = []
    before = None
    for number, place in places:
        if before is not None and follows_on(*before, number, place):
            runs[-1] = Run(runs[-1].place, runs[-1].length + 1)
        else:
            runs.append(Run(place, 1))
        before = number, place
    return runs[0].place if len(runs) == 1 else ", ".join(map(str, runs))


def follows_on(number: int, place: str, then: int, there: str) -> bool:
    """Whether two bytes are as far apart in one register, or on the stack, as in the value, and neighbours in it."""
    one, other = located(place), located(there)
    if one is None or other is None:
        return place == there
    return then == number + 1 and one[0] == other[0] and other[1] == one[1] + 1


def located(place: str) -> tuple[str, int] | None:
    """A register, or the stack, and the byte in it; `None` for other places."""
    found = ON_STACK.fullmatch(place) or IN_REGISTER.fullmatch(place)
    return None if found is None else (found["name"], int(found["at"] or 0))


def combined(candidates: Sequence[tuple[int, Sequence[str]]], most: int) -> tuple[str, ...]:
    """Every place of a part, in words, if there are at most so many; from the places in which each of its bytes may be."""
    if not 0 < prod(len(places) for _, places in candidates) <= most:
        return ()
    numbers = [number for number, _ in candidates]
    every = product(*(places for _, places in candidates))
    return tuple(sorted({in_pieces(tuple(zip(numbers, places, strict=True))) for places in every}))

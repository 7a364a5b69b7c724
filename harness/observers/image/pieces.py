"""Values that travel in pieces: each byte of a part in a place of its own, or several together.

A compiler may take a value apart that another one keeps together: a vector of four bytes in four registers. Then a part
of it is nowhere as a whole, and its bytes are followed one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from msgspec.structs import replace

from abiprobe.oracles.text.place import Located, Register, StackSlot
from abiprobe.results.verdicts.locations import AtAddress, InPieces, Run
from abiprobe.results.verdicts.wording import spot_text

Held: TypeAlias = Located | AtAddress
"""A place that holds a byte, or a part, of a value."""
Traced: TypeAlias = Held | InPieces
"""Where a part is, whole or in pieces."""


def in_pieces(places: Sequence[tuple[int, Held]]) -> Traced:
    """The place of a part from the place of each of its bytes; `places` begin with the number of the byte."""
    runs: list[Run] = []
    before = None
    for number, place in places:
        if before is not None and follows_on(*before, number, place):
            runs[-1] = replace(runs[-1], length=runs[-1].length + 1)
        else:
            runs.append(Run(place))
        before = number, place
    return runs[0].place if len(runs) == 1 else InPieces(tuple(runs))


def follows_on(number: int, place: Held, then: int, there: Held) -> bool:
    """Return whether two bytes are as far apart in one register, or on the stack, as in the value, and neighbours in it."""
    one, other = byte_of(place), byte_of(there)
    if one is None or other is None:
        return place == there
    return then == number + 1 and one[0] == other[0] and other[1] == one[1] + 1


def byte_of(held: Held) -> tuple[Register | None, int] | None:
    """A register and the byte in it, or the stack (no register) and the offset there; `None` for other places."""
    match held:
        case Located(StackSlot(offset)):
            return None, offset
        case Located(Register() as register, at, _, False):
            return register, at
        case _:
            return None


def combined(candidates: Sequence[tuple[int, Sequence[Held]]], most: int) -> tuple[Traced, ...]:
    """Every place of a part, if there are at most so many; from the places in which each of its bytes may be."""
    if not 0 < prod(len(places) for _, places in candidates) <= most:
        return ()
    numbers = [number for number, _ in candidates]
    every = product(*(places for _, places in candidates))
    found = {in_pieces(tuple(zip(numbers, places, strict=True))) for places in every}
    return tuple(sorted(found, key=spot_text))

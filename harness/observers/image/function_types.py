"""The types of functions on WebAssembly: where caller and callee differ in one, the call traps or does not link."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.wasm import TYPES, decoded
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Assignment, Passing, Piece, Register
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.record import Difference
from abiprobe.results.verdicts.values import Words


def mistyped(
    side: str, call: Assignment, block: bytes, machine: Machine, registers: RegisterConvention
) -> Iterator[Difference]:
    """The type of a function that was called, where it has other parameters or results than the places of the call."""
    if not machine.signatures:
        return
    expected, seen = function_type(call), decoded(machine.read(block, TYPES))
    if expected == seen:
        return
    # What a result is returned as tells more than the parameters that it moves.
    clause = broken(places_of(call, RESULTS), seen[1])
    if not clause and expected[1] != seen[1] and call.result is not None:
        clause = call.result.clause
    clause = clause or broken(places_of(call, PARAMETERS), seen[0]) or registers.signature
    yield Difference(side, "type", FUNCTION, Words(typed(*expected)), Words(typed(*seen)), clause)


FUNCTION = Named("the function")
PARAMETERS, RESULTS = "p", "r"
"""How the names of places begin behind their value type."""
Types = tuple[str, ...]


def function_type(call: Assignment) -> tuple[Types, Types]:
    """The value types of the parameters and of the results that the places of a call ask for."""
    return types_of(places_of(call, PARAMETERS)), types_of(places_of(call, RESULTS))


def places_of(call: Assignment, end: str) -> tuple[Piece, ...]:
    """The pieces of a call that are parameters (`p`) or results (`r`) of the function, in the order of their numbers."""
    values = [*call.params, *((call.result,) if call.result else ())]
    pieces = [piece for one in values if one.passing is not Passing.IGNORED for piece in one.pieces]
    pieces += [piece for hidden in call.hidden for piece in hidden.pieces]
    numbered = {number_of(piece, end): piece for piece in pieces}
    return tuple(piece for number, piece in sorted(numbered.items()) if number >= 0)


def number_of(piece: Piece, end: str) -> int:
    """The number of the parameter or result that a piece is in; -1 for one elsewhere."""
    if not isinstance(piece.place, Register):
        return -1
    place = piece.place.name.partition(".")[2]
    return int(place[1:]) if place.startswith(end) else -1


def types_of(pieces: tuple[Piece, ...]) -> Types:
    """The value type of each place."""
    return tuple(one.place.name.partition(".")[0] for one in pieces if isinstance(one.place, Register))


def broken(pieces: tuple[Piece, ...], seen: Types) -> str:
    """The clause of the first place that the function does not have; empty if it has all of them, and more."""
    for piece, wanted, found in zip_longest(pieces, types_of(pieces), seen):
        if piece is not None and wanted != found:
            return piece.clause
    return ""


def typed(parameters: Types, results: Types) -> str:
    """The type of a function, as it is written in the text format."""
    return f"({', '.join(parameters)}) -> ({', '.join(results)})"

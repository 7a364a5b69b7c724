"""The contents of an assignment's pieces, bit by bit: shared by the JSON and the text of a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from abiprobe.oracles.language.lang import BitInt, Prototype, Type, strip
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece


class Above(NamedTuple):
    """The bits `[first, end)` of a place that are none of its value, and what they hold.

    They are counted as the bits of a record are (`MemberPlace`): on a big-endian machine from the most significant one.
    """

    first: int
    end: int
    extension: Extension


def above(piece: Piece, passed: Passed | Hidden, c_type: Type | None) -> Above | None:
    """Return the extension above the value in the place of `piece`, `None` if it fills the place or no text says.

    `c_type` is the type of the whole value, `None` for a hidden argument.
    """
    if piece.extension is None:
        return None
    first = value_bits(piece, passed, c_type)
    if piece.at:
        return Above(0, (piece.at + piece.end - piece.start) * 8 - first, piece.extension)
    end = max(piece.width, piece.end - piece.start) * 8
    return Above(first, end, piece.extension) if first < end else None


def value_bits(piece: Piece, passed: Passed | Hidden, c_type: Type | None) -> int:
    """Return the number of bits of a piece's place that hold the value."""
    if piece.bits is not None:
        return piece.bits
    bits = (piece.end - piece.start) * 8
    direct = isinstance(passed, Passed) and passed.passing is Passing.DIRECT
    if direct and c_type is not None and isinstance(own := strip(c_type), BitInt):
        return min(bits, own.width - piece.start * 8)
    return bits


def with_types(assignment: Assignment, function: Prototype) -> tuple[tuple[Passed, Type], ...]:
    """Every argument of a call, named or not, with its declared type."""
    types = (*(param.type for param in function.params), *function.unnamed)
    return tuple(zip(assignment.params, types, strict=True))


def carriers(assignment: Assignment, function: Prototype) -> Iterator[tuple[Passed | Hidden, Type | None]]:
    """All that travels in a call and back: the result, hidden arguments (which have no type), parameters."""
    if assignment.result is not None:
        yield assignment.result, function.result
    for hidden in assignment.hidden:
        yield hidden, None
    yield from with_types(assignment, function)

"""Arguments of `thiscall` as clang passes them while ecx is free, which it gives to the first word of an integer, whatever that is of."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.x86.i386.calls import CallState
from abiprobe.oracles.abis.x86.i386.stack import is_unplaced, on_stack
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.abis.x86.win32.recited import OTHER, ours
from abiprobe.oracles.abis.x86.win32.vectors import by_reference
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Enum,
    Pointer,
    Record,
    Scalar,
    Type,
    strip,
    unnamed,
)
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register

EXPANDED = 16
"""Bytes of the largest record that is passed member by member."""


def pass_with_this(call: CallState, value: Travelling) -> Passed:
    """An argument while ecx is free; of a record that is copied, or a complex number, it has the address."""
    if not value.size or is_unplaced(call.types, value):
        return ours(on_stack(call.types, call.stack, value))
    parts = parts_of(call.types, value)
    if not parts:
        return by_reference(call, value)
    return value.passed(
        Passing.DIRECT,
        OTHER,
        *(piece for start, end, integer in parts for piece in placed(call, start, end, integer=integer)),
    )


def parts_of(types: TypeTable, value: Travelling) -> list[tuple[int, int, bool]]:
    """The scalars that an argument is passed as, each with its first and last byte and whether it is an integer; none if it is copied."""
    match value.type:
        # A complex integer is laid out as a record of its parts, and is none.
        case _ if isinstance(strip(value.declared), Complex):
            return []
        case Record() as record if value.size <= EXPANDED:
            return members_of(types, record)
        case Scalar() | Enum() | Pointer():
            return [(0, value.size, is_integer(value.type))]
        case BitInt() if value.size <= 2 * WORD:
            return [(0, value.size, True)]
        case _:
            return []


def members_of(types: TypeTable, record: Record) -> list[tuple[int, int, bool]]:
    """The members of a record that has scalars of one or two words alone, and nothing between them."""
    found, at = [], 0
    for member in record.members:
        size = types.extent(member.type).size
        plain = unnamed(member.type)
        basic = isinstance(plain, (Scalar, Enum, Pointer)) and size in {WORD, 2 * WORD}
        if member.width is not None or not basic:
            return []
        found.append((at, at + size, is_integer(plain)))
        at += size
    return found if at == types.extent(record).size else []


def is_integer(c_type: Type) -> bool:
    """Return whether a scalar is an integer or a pointer."""
    return not (isinstance(c_type, Scalar) and c_type.kind.is_floating)


def placed(call: CallState, start: int, end: int, *, integer: bool) -> Iterator[Piece]:
    """The pieces of a scalar: an integer has its words apart, the first in ecx if that is free."""
    step = WORD if integer else end - start
    for at in range(start, end, step):
        stop = min(at + step, end)
        width = round_up(stop - at, WORD)
        free = integer and call.general
        place: Place = Register(call.general.pop(0)) if free else call.stack.push(width, WORD)
        above = Extension.ANY if stop - at < width else None
        yield Piece(at, stop, place, OTHER, above, width, OTHER if above else "")

"""Homogeneous aggregates of vectors of one `__int128` as clang has them, to which LLVM lends the registers of the integer.

Source: LLVM, AArch64CallingConvention.cpp, CC_AArch64_Custom_Block; at -O0 the last half of the
last vector is a block of its own (GlobalISel).
"""

from __future__ import annotations

from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.abis.aarch64.general import (
    DOUBLE_WORD,
    PAIR,
    in_registers,
    pass_on_stack,
    round_up_to_even,
)
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Type, Vector
from abiprobe.oracles.text.place import Passed, Passing, Piece, Place

INT128_VECTORS = {Vector(Kind.INT128, QUAD), Vector(Kind.UINT128, QUAD)}


def is_int128_group(types: TypeTable, value: Travelling, *, named: bool) -> bool:
    """Return whether a homogeneous aggregate travels as integers, because its first member is a vector of one `__int128`."""
    asked = Argument.of(named=named) in types.policies.int128_groups_as_integers
    return asked and begins_with_int128_vector(types, value.type)


def begins_with_int128_vector(types: TypeTable, c_type: Type) -> bool:
    """Return whether the first member that has a size is a vector of one `__int128`: clang knows an aggregate by it."""
    sized = (leaf.type for leaf in leaves(types, c_type, elements=1) if types.extent(leaf.type).size)
    return next(sized, None) in INT128_VECTORS


def pass_int128_group(
    types: TypeTable, cursor: Cursor, value: Travelling, *, from_even: bool = True
) -> Passed:
    """The aggregate in consecutive registers, from whichever is next, or on the stack; or without its last double-word.

    One of a single vector may then be as that is, `from_even` registers on.
    """
    apart = types.policies.int128_groups_apart
    if apart and value.size > QUAD:
        return pass_last_apart(cursor, value)
    if apart and from_even:
        round_up_to_even(cursor, QUAD)
    if value.size <= cursor.left("integer") * DOUBLE_WORD:
        return in_registers(cursor, value, PAIR, None)
    return pass_on_stack(cursor, value, QUAD, PAIR, None)


def pass_last_apart(cursor: Cursor, value: Travelling) -> Passed:
    """All double-words but the last in consecutive registers, or on the stack, and then that one."""
    last = value.size - DOUBLE_WORD
    places: list[Place]
    if last <= cursor.left("integer") * DOUBLE_WORD:
        places = [cursor.take("integer") for _ in range(0, last, DOUBLE_WORD)]
    else:
        cursor.drain("integer")
        cursor.push(0, QUAD)
        places = [cursor.push(DOUBLE_WORD, DOUBLE_WORD) for _ in range(0, last, DOUBLE_WORD)]
    places.append(cursor.take("integer") if cursor.left("integer") else cursor.push(DOUBLE_WORD, QUAD))
    pieces = (
        Piece(number * DOUBLE_WORD, (number + 1) * DOUBLE_WORD, place, PAIR, None, DOUBLE_WORD)
        for number, place in enumerate(places)
    )
    return value.passed(Passing.DIRECT, PAIR, *pieces)

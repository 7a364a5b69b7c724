"""Homogeneous aggregates of vectors of one `__int128` as clang has them, to which LLVM lends the registers of the integer.

Source: LLVM, AArch64CallingConvention.cpp, CC_AArch64_Custom_Block; at -O0 the last half of the
last vector is a block of its own (GlobalISel). An argument is an array of its first vector, a result the struct that it is
(clang, Targets/AArch64.cpp, classifyArgumentType and classifyReturnType).
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.abis.aarch64.general import (
    DOUBLE_WORD,
    PAIR,
    in_registers,
    pass_on_stack,
    round_up_to_even,
)
from abiprobe.oracles.abis.aarch64.homogeneous import homogeneous
from abiprobe.oracles.abis.aarch64.simd import in_register
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Kind, Record, Type, Vector
from abiprobe.oracles.text.place import Passed, Passing, Piece, Place

INT128_VECTORS = {Vector(Kind.INT128, QUAD), Vector(Kind.UINT128, QUAD)}


def is_int128_group(types: TypeTable, value: Travelling, *, named: bool) -> bool:
    """Return whether a homogeneous aggregate travels as integers, because its first member is a vector of one `__int128`."""
    asked = Argument.of(named=named) in types.policies.int128_groups_as_integers
    return asked and begins_with_int128_vector(types, value.type)


def is_int128_result(types: TypeTable, value: Travelling) -> bool:
    """Return whether a homogeneous aggregate is returned member by member, as one of them is a vector of one `__int128`."""
    if Argument.NAMED not in types.policies.int128_groups_as_integers or not isinstance(value.type, Record):
        return False
    group = homogeneous(types, value.type, value.align)
    return group is not None and any(one in INT128_VECTORS for one, _ in stored(types, value.type))


def return_int128_group(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """The vectors of one `__int128` in pairs of general registers and the others in vector registers, each from the next on."""
    pieces: list[Piece] = []
    for member, at in stored(types, value.type):
        if member not in INT128_VECTORS:
            pieces.append(in_register(cursor, value, at, QUAD, PAIR))
            continue
        for start in (at, at + DOUBLE_WORD):
            place = cursor.take("integer")
            pieces.append(Piece(start, start + DOUBLE_WORD, place, PAIR, None, DOUBLE_WORD))
    return value.passed(Passing.DIRECT, PAIR, *pieces)


def stored(types: TypeTable, c_type: Type, at: int = 0) -> Iterator[tuple[Type, int]]:
    """The vectors of a homogeneous aggregate at their offsets in bytes; of a union those of the largest member, the first if several are."""
    match types.plain(c_type):
        case Record(union=True, members=members):
            largest = max((one.type for one in members), key=lambda one: types.extent(one).size)
            yield from stored(types, largest, at)
        case Record() as record:
            for item in types.shape(record).fields:
                if not item.is_bit_field and types.extent(item.type).size:
                    yield from stored(types, item.type, at + item.bit_offset // 8)
        case Array(element=element, length=length):
            size = types.extent(element).size
            for index in range(length or 0):
                yield from stored(types, element, at + index * size)
        case plain:
            yield plain, at


def begins_with_int128_vector(types: TypeTable, c_type: Type) -> bool:
    """Return whether the first member that has a size is a vector of one `__int128`: clang knows an aggregate by it."""
    found = leaves(types, c_type, elements=1)
    sized = (leaf.type for leaf in found if leaf.bit_field is None and types.extent(leaf.type).size)
    return next(sized, None) in INT128_VECTORS


def pass_int128_group(
    types: TypeTable, cursor: Cursor, value: Travelling, align: int = QUAD, *, from_even: bool = True
) -> Passed:
    """The aggregate in consecutive registers, from whichever is next, or on the stack; or without its last double-word.

    On the stack it is aligned to `align` bytes. One of a single vector may then be as that is, `from_even` registers on.
    """
    apart = types.policies.int128_groups_apart
    if apart and value.size > QUAD:
        return pass_last_apart(cursor, value, align)
    if apart and from_even:
        round_up_to_even(cursor, QUAD)
    if value.size <= cursor.left("integer") * DOUBLE_WORD:
        return in_registers(cursor, value, PAIR, None)
    return pass_on_stack(cursor, value, align, PAIR, None)


def pass_last_apart(cursor: Cursor, value: Travelling, align: int) -> Passed:
    """All double-words but the last in consecutive registers, or on the stack, and then that one."""
    last = value.size - DOUBLE_WORD
    places: list[Place]
    if last <= cursor.left("integer") * DOUBLE_WORD:
        places = [cursor.take("integer") for _ in range(0, last, DOUBLE_WORD)]
    else:
        cursor.drain("integer")
        cursor.push(0, align)
        places = [cursor.push(DOUBLE_WORD, DOUBLE_WORD) for _ in range(0, last, DOUBLE_WORD)]
    places.append(cursor.take("integer") if cursor.left("integer") else cursor.push(DOUBLE_WORD, align))
    pieces = (
        Piece(number * DOUBLE_WORD, (number + 1) * DOUBLE_WORD, place, PAIR, None, DOUBLE_WORD)
        for number, place in enumerate(places)
    )
    return value.passed(Passing.DIRECT, PAIR, *pieces)

"""Vectors of other sizes than 8 and 16 bytes, of which AAPCS64 says nothing, as gcc and clang pass and return them."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.data import QUAD, SHORT_VECTORS, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.general import (
    DOUBLE_WORD,
    UNUSED,
    pass_by_reference,
    pass_composite,
)
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Scalar, Vector, is_atomic
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register

WORD = 4
HALF = 2
RESULT = Register("v0")


def is_other_vector(value: Travelling) -> bool:
    """Return whether a value is a vector that is no short vector."""
    return isinstance(value.type, Vector) and value.size not in SHORT_VECTORS


def pass_other_vector(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A vector in a general register if it fits one, else by reference.

    gcc has one of reals on the stack, and no general register for what follows. (gcc, `aarch64_layout_arg`) clang sees no
    vector in one that is atomic.
    """
    if value.size > DOUBLE_WORD:
        return pass_by_reference(cursor, value, natural)
    if types.reading is Reading.CLANG and is_atomic(value.declared) and cursor.left("float"):
        return in_lanes(types, value, cursor.take("float"))
    if goes_on_the_stack(types, value):
        cursor.drain("integer")
    return at_its_end(types, value, pass_composite(cursor, value, natural))


def goes_on_the_stack(types: TypeTable, value: Travelling) -> bool:
    """Return whether gcc finds no kind of register for a vector; `va_arg` may look for it in general ones."""
    in_general = value.is_unnamed and types.policies.va_arg_of_reals_in_general
    return types.reading is Reading.GCC and element(value).kind.is_floating and not in_general


def at_its_end(types: TypeTable, value: Travelling, passed: Passed) -> Passed:
    """On big-endian machines: at the right end of its place as a number of at least 4 bytes to clang.

    gcc has one of integers at the right end of a register. (LLVM, `AArch64ABIInfo::coerceIllegalVector`)
    """
    [piece] = passed.pieces
    if value.is_unnamed and types.policies.va_arg_takes_right_end:
        at = value.right_aligned(value.size, DOUBLE_WORD)
    elif types.reading is Reading.CLANG:
        at = value.right_aligned(max(value.size, WORD), DOUBLE_WORD)
    elif isinstance(piece.place, Register) and not element(value).kind.is_floating:
        at = value.right_aligned(value.size, DOUBLE_WORD)
    else:
        at = 0
    return structs.replace(passed, pieces=(structs.replace(piece, at=at),))


def return_other_vector(types: TypeTable, value: Travelling, natural: int) -> Passed:
    """A result: gcc's where an argument of integers would be, clang's in a vector register."""
    cursor = Cursor(integer=("x0",))
    if value.size > DOUBLE_WORD:
        return pass_by_reference(cursor, value, natural)
    if types.reading is Reading.GCC:
        return at_its_end(types, value, pass_composite(cursor, value, natural))
    return in_lanes(types, value, RESULT)


def in_lanes(types: TypeTable, value: Travelling, register: Register) -> Passed:
    """A vector of less than 8 bytes in a vector register, as LLVM makes one of 8 bytes of it: by wider integers, or by more elements.

    A vector of one half-precision number is that number. (LLVM, `AArch64TargetLowering::getPreferredVectorAction`)
    """
    kind, size = element(value).kind, types.extent(element(value)).size
    count = value.size // size
    lane = size if kind.is_floating or count == 1 else DOUBLE_WORD // count
    whole = HALF if kind.is_floating and value.size == HALF else DOUBLE_WORD
    first = value.right_aligned(whole, QUAD) + value.right_aligned(size, lane)
    pieces = (
        Piece(
            size * index,
            size * (index + 1),
            register,
            VECTOR_SIZE,
            Extension.ANY,
            QUAD,
            UNUSED,
            at=first + lane * index,
        )
        for index in range(count)
    )
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


def element(value: Travelling) -> Scalar:
    """Return the type of an element."""
    assert isinstance(value.type, Vector)
    return Scalar(value.type.kind)

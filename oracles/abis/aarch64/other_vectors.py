"""Vectors that are no short vectors of the text, as gcc and clang pass and return them.

Sources: Clang, AArch64.cpp, coerceIllegalVector, and what LLVM makes of a vector that no register holds; GCC, aarch64.cc,
aarch64_pad_reg_upward and aarch64_function_arg_padding.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from abiprobe.oracles.abis.aarch64.data import QUAD, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD, pass_by_reference, pass_composite
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Scalar, Vector
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register, StackSlot

WORD = 4
FIRST = "v0"


def pass_other_vector(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A vector that is no short vector: gcc and clang have it in a general register if it fits one, else by reference."""
    if value.size > DOUBLE_WORD:
        return pass_by_reference(cursor, value, natural)
    passed = pass_composite(cursor, value, natural)
    (piece,) = passed.pieces
    at = before(types, value, on_stack=isinstance(piece.place, StackSlot))
    return structs.replace(passed, pieces=(structs.replace(piece, at=at),))


def before(types: TypeTable, value: Travelling, *, on_stack: bool) -> int:
    """The bytes of a double-word before a vector: big-endian, gcc has one of integers at the right end of a register.

    Clang has it in the right word, at the left end of that.
    """
    assert isinstance(value.type, Vector), "what is passed so is a vector"
    at_right = value.is_unnamed and types.policies.va_arg_takes_right_end
    if types.reading is Reading.GCC:
        at_right = at_right or not (on_stack or value.type.kind.is_floating)
    if at_right:
        return value.right_aligned(value.size, DOUBLE_WORD)
    return 0 if types.reading is Reading.GCC else value.right_aligned(max(value.size, WORD), DOUBLE_WORD)


def return_other_vector(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """The same as a result, which clang has in half of a vector register, its integers widened until they fill that."""
    if types.reading is Reading.GCC or value.size > DOUBLE_WORD:
        return pass_other_vector(types, cursor, value, natural)
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *widened(types, value))


def widened(types: TypeTable, value: Travelling) -> Iterator[Piece]:
    """The elements of a vector in half of a register: one alone and reals at its beginning, integers each in as much as there is."""
    assert isinstance(value.type, Vector), "what is returned so is a vector"
    kind, half = value.type.kind, value.right_aligned(DOUBLE_WORD, QUAD)
    element = types.extent(Scalar(kind)).size
    together = kind.is_floating or element == value.size
    size, width = (value.size, value.size) if together else (element, DOUBLE_WORD * element // value.size)
    for number, start in enumerate(range(0, value.size, size)):
        at = half + number * width + value.right_aligned(size, width)
        yield Piece(
            start, start + size, Register(FIRST), VECTOR_SIZE, Extension.ANY, QUAD, VECTOR_SIZE, at=at
        )

"""Rules that the conventions of MIPS share: types of which nothing is told, alignments, and the rest of a narrow value."""

from __future__ import annotations

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Enum,
    FixedPoint,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
    strip,
)
from abiprobe.oracles.text.place import Extension
from abiprobe.oracles.unmodelled import CALLS

LONG_WORD = 8
"""Bytes of a register in which an unsigned number of 32 bits is as if it had a sign."""


def check_told(value: Travelling, *untold: type) -> None:
    """Raise `SilentError` for a value of a type that is told of no family: a fixed-point number, or one of `untold`."""
    if isinstance(strip(value.declared), (FixedPoint, *untold)):
        raise SilentError(CALLS, f"{spelling(value.declared)} is told of nobody")


def above(types: TypeTable, c_type: Type, word: int) -> Extension:
    """Return what is above a narrow value in a register: an integer is extended by its sign or zeros, one of half a `word` by its sign bit."""
    if not isinstance(c_type, (Scalar, Enum)) or (isinstance(c_type, Scalar) and c_type.kind.is_floating):
        return Extension.ANY
    signed = types.is_signed(c_type) or 2 * types.extent(c_type).size == word == LONG_WORD
    return Extension.SIGN if signed else Extension.ZERO


def boundary(types: TypeTable, value: Travelling) -> int:
    """The alignment in bytes that a value asks of its words."""
    by_name = isinstance(value.type, Record) or (types.policies.aligned_names and not value.is_unnamed)
    return value.align if by_name else types.extent(value.type).align


def before(types: TypeTable, c_type: Type, size: int, word: int) -> int:
    """The bytes of a `word` before a value of `size` bytes: on a big-endian machine an integer is at its end, and nothing else."""
    if types.data.order == "little" or size >= word:
        return 0
    match strip(c_type):
        case Scalar(kind) if kind.is_integer:
            return word - size
        case Enum() | BitInt():
            return word - size
        case _:
            return 0


def before_result(types: TypeTable, value: Travelling, word: int) -> int:
    """The bytes of a `word` before a result: at its end is a narrow complex integer, too, and to gcc a narrow vector."""
    match strip(value.declared):
        case Complex():
            return value.right_aligned(value.size, word)
        case Vector() if types.reading is Reading.GCC:
            return value.right_aligned(value.size, word)
        case _:
            return before(types, value.type, value.size, word)

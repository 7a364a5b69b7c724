"""The classes of values in the algorithm that selects registers (3.2.3.1 Parameter Passing Register Selection Algorithm)."""

from __future__ import annotations

from enum import Enum

from abiprobe.oracles.abis.powerpc.supplement32.data import (
    BIT_INT,
    DOUBLEWORD,
    HALVES,
    OTHER_REAL,
    QUADWORD,
    WORD,
    vector,
)
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Kind, Record, Scalar, Vector, spelling


class Class(Enum):
    """A case of the algorithm: the registers it uses, how many of them, the bytes of a value in each, and which may be first."""

    SINGLE_GP = ("general", 1, WORD, "any")
    DUAL_GP = ("general", 2, WORD, "odd")
    QUAD_GP = ("general", 4, WORD, "any")
    EIGHT_GP = ("general", 8, WORD, "any")
    SINGLE_FP = ("floating", 1, DOUBLEWORD, "any")
    DOUBLE_FP = ("floating", 2, DOUBLEWORD, "any")
    DECIMAL_PAIR = ("floating", 2, DOUBLEWORD, "even")
    """DOUBLE_FP as well, with conditions of its own"""
    SINGLE_VR = ("vector", 1, QUADWORD, "any")

    def __init__(self, file: str, count: int, unit: int, first: str) -> None:
        self.file = file
        self.count = count
        self.unit = unit
        self.first = first


COMPLEX = {2 * WORD: Class.DUAL_GP, 2 * DOUBLEWORD: Class.QUAD_GP, 2 * QUADWORD: Class.EIGHT_GP}
"""The case of a complex number by its size in bytes."""


def classify(types: TypeTable, value: Travelling) -> Class:
    """The case of a value; raises `SilentError` for a type that the text does not have."""
    known(types, value)
    match value.type:
        case Record():
            return Class.SINGLE_GP
        case Complex():
            return COMPLEX[value.size]
        case Vector():
            return Class.SINGLE_VR
        case Scalar(Kind.LDOUBLE):
            return Class.DOUBLE_FP
        case Scalar(Kind.DECIMAL128):
            return Class.DECIMAL_PAIR
        case Scalar(kind) if kind.is_floating:
            return Class.SINGLE_FP
        case _:
            return Class.SINGLE_GP if value.size <= WORD else Class.DUAL_GP


def known(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a type of which the text does not say how it travels, whatever a dialect makes of its layout."""
    match value.type:
        case BitInt() if types.reading is None:
            raise SilentError(BIT_INT, spelling(value.type))
        case Scalar(kind) | Complex(kind) if kind in HALVES:
            raise SilentError(OTHER_REAL, spelling(value.type))
        case Vector(kind, size) if types.reading is None:
            vector(size, types.data.kind(kind))

"""The kinds of values in the calling convention of the DPU: a word, a double word, or passed by reference."""

from __future__ import annotations

from enum import Enum as PyEnum

from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Enum, Record, Scalar, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension

cite, implements = citing(__package__)
WORD = 4
DOUBLE_WORD = 8
PROMOTE = cite("pass.promote")
VECTOR = cite("pass.vector")
OTHER = cite("pass.composite-other")
COMPOSITE = cite("pass.composite")


class Class(PyEnum):
    """A way in which a value travels."""

    WORD = "word"
    """in one register"""
    DOUBLE_WORD = "double word"
    """in an aligned pair"""
    REFERENCE = "reference"
    """as the address of a copy"""


@implements("pass.composite", "pass.composite-other", "pass.vector")
def classify(value: Travelling) -> Class:
    """The class of a value; raises `SilentError` for a vector."""
    match value.type:
        case Vector():
            raise SilentError(VECTOR, f"{value.name or 'the result'} is a vector")
        # [dpu:pass.composite]
        case Record() | Complex():
            return Class.REFERENCE
        # [dpu:pass.composite-other]
        case _ if value.size > DOUBLE_WORD:
            return Class.REFERENCE
        case _:
            return Class.WORD if value.size <= WORD else Class.DOUBLE_WORD


def reference_clause(value: Travelling) -> str:
    """The clause by which a value is passed by reference."""
    return COMPOSITE if isinstance(value.type, Record) else OTHER


@implements("pass.promote")
def extension(types: TypeTable, value: Travelling) -> Extension | None:
    """Return the extension above a value in its word or double word."""
    width = value.size * 8
    match value.type:
        case BitInt(width=own):
            if own > WORD * 8:
                return Extension.ANY if own < width else None
            width = own
        case Scalar() | Enum():
            pass
        case _:
            return None
    if width >= WORD * 8:
        return None
    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO

"""The contents of one register: a real or a part of one, an integer, or an address."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD
from abiprobe.oracles.abis.powerpc.elfv1.data import ENUM
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Type
from abiprobe.oracles.text.place import Extension, Form, Piece, Register


def real(place: Register, start: int, end: int, clause: str) -> Piece:
    """The bytes `[start, end)` of a value, a float or a double, in a floating-point register."""
    form = Form.DOUBLE if end - start < DOUBLEWORD else None
    return Piece(start, end, place, clause, None, DOUBLEWORD, form=form, order="big")


def right_aligned(size: int) -> int:
    """The bytes of a doubleword before a value of `size` bytes in its least significant part."""
    return max(DOUBLEWORD - size, 0)


def above(types: TypeTable, c_type: Type, clause: str) -> tuple[Extension, str]:
    """Return the extension above an integer in a doubleword that it does not fill, and its clause.

    `clause`, or that of enumerations.
    """
    # [elfv1:pass.integer] [elfv1:result.integer]
    extension = Extension.SIGN if types.is_signed(c_type) else Extension.ZERO
    return extension, ENUM if isinstance(c_type, Enum) else clause

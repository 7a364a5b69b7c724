"""The default argument promotions: what an unnamed argument of a variadic call is (C17 6.5.2.2, 6.3.1.1)."""

from __future__ import annotations

from abiprobe.oracles.language.lang import Enum, Kind, Scalar, Type, strip

_TO_INT = frozenset({Kind.BOOL, Kind.CHAR, Kind.SCHAR, Kind.UCHAR, Kind.SHORT, Kind.USHORT})
_INT = Scalar(Kind.INT)
_INT_RANGE = range(-(1 << 31), 1 << 31)


def promoted(c_type: Type) -> Type:
    """The type as which a value of `c_type` travels unnamed.

    Integers that rank below `int` and enumerations of `int`'s values become `int`, `float` becomes `double`. A value
    is neither atomic nor has it the alignment of a typedef, which is for objects. `_Float16`, `__bf16` and `_BitInt`
    are not promoted.
    """
    match strip(c_type):
        case Scalar(kind) if kind in _TO_INT:
            return _INT
        case Scalar(Kind.FLOAT):
            return Scalar(Kind.DOUBLE)
        case Enum(enumerators=enumerators) if all(item.value in _INT_RANGE for item in enumerators):
            return _INT
        case value:
            return value

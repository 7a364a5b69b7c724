"""A `float` in a register that holds it as the `double` of the same value (IEEE 754 binary32 and binary64)."""

from __future__ import annotations

SINGLE, DOUBLE = 4, 8
_SIGN, _FRACTION = 1 << 63, (1 << 52) - 1
_LEAST, _COUNT = 897, 128
"""Biased exponents from the least that a normal `float` has, as many as keep a bit of its own exponent clear."""


def as_double(single: int) -> int:
    """The bits of the `double` of the same value as a `float`; a NaN keeps its payload, and stays signaling."""
    sign, exponent, fraction = single >> 31 << 63, single >> 23 & 0xFF, single & 0x7F_FFFF
    if exponent == 0xFF:
        return sign | 0x7FF << 52 | fraction << 29
    if not exponent:
        if not fraction:
            return sign
        # A denormal number has its leading bit implied once it is normal.
        shift = 24 - fraction.bit_length()
        return sign | _LEAST - shift << 52 | (fraction << shift & 0x7F_FFFF) << 29
    return sign | exponent + _LEAST - 1 << 52 | fraction << 29


def as_single(double: int) -> int:
    """The bits of a `float` that storing a register as one leaves of a `double`, of which it keeps the leading bits."""
    exponent = double >> 52 & 0x7FF
    if exponent < _LEAST:
        return double >> 63 << 31 | (_denormal(double, exponent) if exponent >= _LEAST - 23 else 0)
    return double >> 62 << 30 | double >> 29 & 0x3FFF_FFFF


def _denormal(double: int, exponent: int) -> int:
    return (1 << 52 | double & _FRACTION) >> 29 + _LEAST - exponent


def moderate(double: int) -> int:
    """The same bits with an exponent that a finite `float` can have."""
    exponent = _LEAST + (double >> 52 & 0x7FF) % _COUNT
    return double & (_SIGN | _FRACTION) | exponent << 52

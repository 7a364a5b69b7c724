"""Reals as the x87 registers hold them: a sign, 15 bits of exponent, and 64 of significand with nothing implied."""

from __future__ import annotations

import math
import struct

EXTENDED_BYTES = 10
BIAS = 16383
SIGNIFICAND = 64


def is_finite(value: bytes) -> bool:
    """Return whether 4 or 8 bytes, little-endian, represent a finite real and not a NaN or an infinity."""
    return math.isfinite(real(value))


def real(value: bytes) -> float:
    """The real whose IEEE representation is `value`, 4 or 8 bytes, little-endian."""
    number: float = struct.unpack("<f" if len(value) == 4 else "<d", value)[0]
    return number


def extended(value: bytes) -> int:
    """The 80 bits of a finite real whose IEEE representation is `value`, 4 or 8 bytes, little-endian."""
    number = real(value)
    sign = int(math.copysign(1.0, number) < 0) << (EXTENDED_BYTES * 8 - 1)
    fraction, exponent = math.frexp(abs(number))
    if not fraction:
        return sign
    return sign | (exponent - 1 + BIAS) << SIGNIFICAND | int(math.ldexp(fraction, SIGNIFICAND))

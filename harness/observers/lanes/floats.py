"""Numbers as bytes, and how far two of them are apart."""

from __future__ import annotations

import math
import struct

from abiprobe.oracles.language.lang import Kind


def packed(kind: Kind, value: float) -> bytes:
    """A number as it lies in memory."""
    return struct.pack("<f" if kind is Kind.FLOAT else "<d", value)


def unpacked(kind: Kind, data: bytes) -> float:
    """The number that lies in memory."""
    found: float = struct.unpack("<f" if kind is Kind.FLOAT else "<d", data)[0]
    return found


def rounded(kind: Kind, value: float) -> float:
    """A number that a type can hold."""
    return unpacked(kind, packed(kind, value))


def distance(kind: Kind, one: float, other: float) -> int:
    """Return the number of values of the type from one to the other, one of them counted; a large number for a NaN."""
    if math.isnan(one) or math.isnan(other):
        return 1 << 63
    letter, width = ("<I", 31) if kind is Kind.FLOAT else ("<Q", 63)
    first, second = (ordered(struct.unpack(letter, packed(kind, value))[0], width) for value in (one, other))
    return abs(first - second)


def ordered(bits: int, width: int) -> int:
    """The bits of a float as a number that grows with it, where `width` bits are its magnitude."""
    magnitude = bits & ((1 << width) - 1)
    return -magnitude if bits >> width else magnitude

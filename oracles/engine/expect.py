"""Predicted contents of places: the bits that must be there, and the bits that may be anything."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.doubles import DOUBLE, as_double
from abiprobe.oracles.engine.extended import EXTENDED_BYTES, extended
from abiprobe.oracles.text.place import ByteOrder, Extension, Form, Passed, Piece, Place


class Expected(msgspec.Struct, frozen=True):
    """The expected contents of one place: `width` bytes in the order of memory; only bits set in `care` count.

    The bytes are kept as a number whose lowest byte is the first one, whatever the byte order of the machine. The value has
    `value_bytes` of them, from byte `at` on; the others are the extension, for which `extension_clause` answers.
    """

    place: Place
    width: int
    bits: int
    care: int
    clause: str
    value_bytes: int
    extension_clause: str
    start: int
    at: int = 0

    @property
    def value_bits(self) -> int:
        """The bits of the place that belong to the value."""
        return (1 << self.value_bytes * 8) - 1 << self.at * 8


def contents(passed: Passed, value: bytes) -> tuple[Expected, ...]:
    """Return the expected contents of the places of a directly passed value whose object representation is `value`."""
    return tuple(expected(piece, value, passed.mask) for piece in passed.pieces)


def expected(piece: Piece, value: bytes, mask: bytes) -> Expected:
    """Return the expected contents of the place of one piece; padding and undefined extensions do not count."""
    size = piece.end - piece.start
    bits = int.from_bytes(value[piece.start : piece.end], "little")
    care = int.from_bytes(mask[piece.start : piece.end], "little")
    if piece.form is Form.EXTENDED:
        size = EXTENDED_BYTES
        bits, care = extended_in_memory(value[piece.start : piece.end], piece.order), (1 << size * 8) - 1
    if piece.form is Form.DOUBLE:
        size = DOUBLE
        bits, care = double_in_memory(value[piece.start : piece.end], piece.order), (1 << size * 8) - 1
    if piece.bit is not None and piece.bits is not None:
        shift = piece.bit - piece.start * 8
        care = (1 << piece.bits) - 1
        bits = (bits >> shift) & care
    if piece.lane:
        bits, care = widened(bits, size, piece.lane), widened(care, size, piece.lane)
        size *= piece.lane
    width = max(piece.width, size)
    # The most significant byte stands first where what extends it stands before it, and last elsewhere.
    negative = bits >> (7 if piece.at else size * 8 - 1) & 1
    bits, care = bits << piece.at * 8, care << piece.at * 8
    above = ((1 << width * 8) - 1) ^ ((1 << size * 8) - 1 << piece.at * 8)
    match piece.extension:
        case Extension.SIGN:
            care |= above
            bits |= above if negative else 0
        case Extension.ZERO:
            care |= above
        case Extension.NAN_BOX:
            care |= above
            bits |= above
        case Extension.ANY | None:
            pass
    return Expected(
        piece.place,
        width,
        bits & care,
        care,
        piece.clause,
        size,
        piece.extension_clause or piece.clause,
        piece.start,
        piece.at,
    )


def extended_in_memory(value: bytes, order: ByteOrder) -> int:
    """The bytes of the extended real of the same value as a real, as a number whose lowest byte is the first one."""
    if order == "little":
        return extended(value)
    return int.from_bytes(extended(value[::-1]).to_bytes(EXTENDED_BYTES, order), "little")


def double_in_memory(single: bytes, order: ByteOrder) -> int:
    """The bytes of the `double` of the same value as a `float`, as a number whose lowest byte is the first one."""
    double = as_double(int.from_bytes(single, order))
    return int.from_bytes(double.to_bytes(DOUBLE, order), "little")


def widened(value: int, size: int, lane: int) -> int:
    """The `size` bytes of `value`, each in the lowest byte of a lane of `lane` bytes."""
    return sum(((value >> 8 * at) & 0xFF) << 8 * at * lane for at in range(size))

"""Values that explain a mismatch at sight.

In turn 0 every byte names itself: its high nibble counts the parameter (1 is the first, 0 the result), its low
nibble the byte. In turn 1 bytes come from a fixed random stream, so that what is left over from turn 0 or
equal by chance shows. Every turn respects what a type can hold: a `_Bool` is 0 or 1, no float is a NaN, and the
unused bits of a `_BitInt` are extended from its sign. Further turns are for values of few bits, which two turns do not
tell from others.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TypeAlias

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, BitInt, Complex, Kind, Record, Scalar, Type, strip
from abiprobe.oracles.text.place import ByteOrder

TURNS = (0, 1)
"""The turns in which every call is made."""
_STREAM = hashlib.shake_128(b"abiprobe").digest(1 << 16)
_SIGNED = {sign: _STREAM.translate(bytes(byte & 0x7F | sign for byte in range(256))) for sign in (0, 0x80)}
"""The stream with one sign in every byte, and so in an integer of any width."""
REMEMBERED = 1 << 13
_NAMED = tuple(bytes(((high << 4) | low) for low in range(16)) for high in range(16))
X87_SIGNIFICANT = 10
M68881_STORED = 12

Fix: TypeAlias = tuple[int, int, Kind | BitInt]
"""A leaf that cannot hold every bit pattern: byte offset, size in bytes, what it is."""


@lru_cache(maxsize=REMEMBERED)
def fill(types: TypeTable, c_type: Type, index: int, turn: int) -> bytes:
    """The object representation of value number `index` (0 is the result, 1 the first parameter) in `turn`."""
    size = types.extent(c_type).size
    if turn == 0:
        raw = bytearray((_NAMED[index & 15] * (size // 16 + 1))[:size])
    else:
        start = (index * 997 + (turn - 1) * 1361) % 4096
        repeats = (start + size) // len(_STREAM) + 1
        # The other sign than in turn 0.
        signed = _SIGNED[~_NAMED[index & 15][0] & 0x80] if turn in TURNS else _STREAM
        raw = bytearray((signed if repeats == 1 else signed * repeats)[start : start + size])
    # The first two turns differ in every `_Bool`; in more of them a sequence has to tell one from another.
    salt = index + turn if turn in TURNS else None
    for at, width, kind in constraints(types, c_type):
        _respect(raw, at, width, kind, salt, types.data.order)
    return bytes(raw)


@lru_cache(maxsize=REMEMBERED)
def constraints(types: TypeTable, c_type: Type) -> tuple[Fix, ...]:
    """Every leaf of a type that cannot hold every bit pattern; `_Bool` last, since a union may overlay it."""
    found: list[Fix] = []
    _collect(types, c_type, 0, found)
    found.sort(key=lambda fix: fix[2] is Kind.BOOL)
    return tuple(found)


def _collect(types: TypeTable, c_type: Type, at: int, found: list[Fix]) -> None:
    match strip(c_type):
        case Scalar(kind) if kind.is_floating or kind is Kind.BOOL:
            found.append((at, types.data.significant.get(kind, types.data.kind(kind).size), kind))
        case Complex(kind) if kind.is_floating:
            size = types.data.kind(kind).size
            found += [(start, types.data.significant.get(kind, size), kind) for start in (at, at + size)]
        case BitInt() as bit_int:
            found.append((at, types.extent(bit_int).size, bit_int))
        case Array(element=element, length=length) if length:
            one: list[Fix] = []
            _collect(types, element, 0, one)
            stride = types.extent(element).size
            found += [
                (at + i * stride + start, size, kind)
                for i in range(length if one else 0)
                for start, size, kind in one
            ]
        case Record() as record:
            for item in types.shape(record).fields:
                if not item.is_bit_field:
                    _collect(types, item.type, at + item.bit_offset // 8, found)


def _respect(
    raw: bytearray, at: int, width: int, kind: Kind | BitInt, salt: int | None, order: ByteOrder
) -> None:
    if isinstance(kind, BitInt):
        value = int.from_bytes(raw[at : at + width], order) & ((1 << kind.width) - 1)
        if kind.signed and value >> (kind.width - 1):
            value -= 1 << kind.width
        raw[at : at + width] = value.to_bytes(width, order, signed=kind.signed)
    elif kind is Kind.BOOL:
        raw[at] = (raw[at] if salt is None else at + salt) & 1
    else:
        # A clear bit in the exponent: neither a NaN, which moves may quieten, nor an infinity.
        raw[at if order == "big" else at + width - 1] &= 0xBF
        if width == M68881_STORED:
            # So does the 68881, whose first two bytes are sign and exponent, and whose next two are nothing.
            raw[at + 4] |= 0x80
            raw[at] |= 0x20
        if width == X87_SIGNIFICANT:
            # The x87 format spells out the integer bit; without it this would be an invalid operand.
            raw[at + 7] |= 0x80
            raw[at + 9] |= 0x20

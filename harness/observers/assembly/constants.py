"""Values as C constants: what a caller passes, and what a callee returns."""

from __future__ import annotations

import struct

from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Pointer, Scalar, Type, strip

FORMATS = {4: "<f", 8: "<d"}


def constant(c_type: Type, value: bytes, *, signed: bool) -> str | None:
    """A scalar whose object representation is `value`, `None` for a type that has no constants."""
    number = int.from_bytes(value, "little", signed=signed)
    match strip(c_type):
        case Scalar(kind) if kind.is_floating:
            return floating(value)
        case Scalar() | Enum():
            return integer(number)
        case BitInt(width) if width <= 64:
            return integer(number)
        case Pointer():
            return f"(void *){number:#x}u"
        case _:
            return None


def integer(number: int) -> str:
    """An integer constant of any value that 64 bits hold."""
    if number == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    return f"{number}{'ULL' if number >= 1 << 63 else 'LL'}"


def floating(value: bytes) -> str | None:
    """A real of 4 or 8 bytes, exactly."""
    if len(value) not in FORMATS:
        return None
    (number,) = struct.unpack(FORMATS[len(value)], value)
    suffix = "f" if len(value) == struct.calcsize("<f") else ""
    return f"{float(number).hex()}{suffix}"


def is_bool(c_type: Type) -> bool:
    """Return whether a type is `_Bool`."""
    return strip(c_type) == Scalar(Kind.BOOL)

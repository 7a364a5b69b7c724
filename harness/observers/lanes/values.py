"""Values in a call of a variant, and the values that each lane must see."""

from __future__ import annotations

import hashlib
import struct
from math import lcm

from abiprobe.generators.values import fill
from abiprobe.harness.observers.lanes.references import by_value, seen_type
from abiprobe.oracles.abis.vfabi.length import is_element, is_real
from abiprobe.oracles.abis.vfabi.roles import is_reference
from abiprobe.oracles.abis.vfabi.variant import Spread, Variant, VariantPlaces
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar, Type, strip

POINTER_BYTES = 8
NOISE_BYTES = 1 << 16
LARGEST_DEFAULT = 64
"""Bytes: an `aligned` clause without a number promises no more than the widest vectors need."""


class Bytes:
    """A stream of bytes that a text decides."""

    def __init__(self, text: str, size: int = NOISE_BYTES) -> None:
        self._data = hashlib.shake_128(text.encode()).digest(size)
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next bytes, from the beginning again when they are used up."""
        if self._at + count > len(self._data):
            self._at = 0
        self._at += count
        return self._data[self._at - count : self._at]


def active_lanes(variant: Variant, stream: Bytes) -> tuple[int, ...]:
    """The lanes that a masked call is for, at least one; all of them without a mask."""
    lanes = range(variant.name.lanes)
    if not variant.name.masked:
        return tuple(lanes)
    chosen = stream.take(len(lanes))
    return tuple(lane for lane in lanes if chosen[lane] & 1) or (chosen[0] % len(lanes),)


def travelling(
    types: TypeTable, function: Prototype, variant: Variant, places: VariantPlaces, stream: Bytes, turn: int
) -> list[list[bytes]]:
    """Return the values for each parameter: an element for each lane, or one value for all.

    Of a reference that is looked at by its value, this is what it refers to.
    """
    strides = set(variant.strides)
    valued = by_value(function)
    found: list[list[bytes]] = []
    for number, (param, place) in enumerate(zip(function.params, places.params, strict=True)):
        size = types.extent(param.type).size
        if isinstance(place, Spread):
            found.append([element(param.type, stream.take(size)) for _ in range(variant.name.lanes)])
        elif number in strides:
            found.append([element(param.type, (3 + turn).to_bytes(size, "little"))])
        elif param.name in valued:
            seen = seen_type(function, param)
            found.append([element(seen, (5 + turn).to_bytes(types.extent(seen).size, "little"))])
        elif is_linear(variant, number):
            # Small enough for most steps not to leave the type.
            rest = (b"\x11" if size == POINTER_BYTES else b"\0") * (size - 1)
            found.append([element(param.type, bytes([5 + turn]) + rest)])
        else:
            found.append([fill(types, param.type, number + 1, turn)])
    return found


def small_values(
    types: TypeTable, function: Prototype, variant: Variant, places: VariantPlaces, stream: Bytes
) -> list[list[bytes]]:
    """Return small values like those of `travelling`, with which C can count in any type without leaving it.

    Pointers keep what the `aligned` clauses promise of them, since a compiler counts on it.
    """
    strides, units = set(variant.strides), alignments(function)
    found: list[list[bytes]] = []
    for number, (param, place) in enumerate(zip(function.params, places.params, strict=True)):
        unit = units.get(param.name, 1)
        if isinstance(place, Spread):
            drawn = [stream.take(1)[0] for _ in range(variant.name.lanes)]
            found.append([small(types, param.type, value, unit) for value in drawn])
        elif number in strides or is_linear(variant, number) or is_element(types, param.type):
            found.append([small(types, param.type, 3, unit)])
        else:
            found.append([fill(types, param.type, number + 1, 0)])
    return found


def alignments(function: Prototype) -> dict[str, int]:
    """Return the number of which the value of each parameter with an `aligned` clause is a multiple, by any pragma."""
    found: dict[str, int] = {}
    for clause in (clause for simd in function.simd for clause in simd.aligned):
        for name in clause.params:
            found[name] = lcm(found.get(name, 1), clause.bytes or LARGEST_DEFAULT)
    return found


def small(types: TypeTable, c_type: Type, number: int, unit: int = 1) -> bytes:
    """A small number as a value of an arithmetic type or pointer, of pointers a multiple of `unit`."""
    match strip(c_type):
        case Scalar(Kind.FLOAT):
            return struct.pack("<f", number % 50)
        case Scalar(Kind.DOUBLE):
            return struct.pack("<d", number % 50)
        case Scalar(Kind.BOOL):
            return bytes([number & 1])
        case _:
            return (number % 50 * unit).to_bytes(types.extent(c_type).size, "little")


def is_linear(variant: Variant, number: int) -> bool:
    """Return whether a parameter grows from lane to lane."""
    return variant.steps[number] is not None or variant.strides[number] is not None


def element(c_type: Type, raw: bytes) -> bytes:
    """Random bytes as a value of a type: a `_Bool` is 0 or 1, no float is a NaN."""
    if strip(c_type) == Scalar(Kind.BOOL):
        return bytes([raw[0] & 1])
    return raw[:-1] + bytes([raw[-1] & 0xBF]) if is_real(c_type) else raw


def seen_by_lanes(
    types: TypeTable, function: Prototype, variant: Variant, number: int, values: list[list[bytes]]
) -> tuple[bytes | None, ...]:
    """Return the value that each lane sees of a parameter; `None` if C gives it no value."""
    lanes = variant.name.lanes
    own = values[number]
    if len(own) == lanes and lanes > 1:
        return tuple(own)
    if not is_linear(variant, number):
        return tuple(own * lanes)
    c_type = seen_type(function, function.params[number])
    step = variant.steps[number]
    stride = variant.strides[number]
    if step is None and stride is not None:
        step = int.from_bytes(values[stride][0], "little") * variant.units[number]
    assert step is not None, "a linear parameter has a step or a stride"
    return tuple(_grown(types, c_type, own[0], step * lane) for lane in range(lanes))


def _grown(types: TypeTable, c_type: Type, base: bytes, by: int) -> bytes | None:
    """The value of a linear parameter after so many steps; `None` where it leaves a signed type."""
    inner, size = strip(c_type), len(base)
    if inner == Scalar(Kind.BOOL):
        return base if not by else None
    signed = types.is_signed(inner) and not is_reference(c_type)
    value = int.from_bytes(base, "little", signed=signed) + by
    if signed and not -(1 << 8 * size - 1) <= value < 1 << 8 * size - 1:
        return None
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def result_values(
    function: Prototype, variant: Variant, places: VariantPlaces, stream: Bytes
) -> tuple[bytes, ...]:
    """Return the function's result for each lane."""
    if function.result is None or places.result is None:
        return (b"",) * variant.name.lanes
    size = places.result.element
    c_type = function.result
    return tuple(element(c_type, stream.take(size)) for _ in range(variant.name.lanes))

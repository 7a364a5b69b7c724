"""One call of a variant: what goes into registers and stack, and what each lane must have been given."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator

import msgspec

from abiprobe.generators.values import TURNS, fill
from abiprobe.harness.runtime.machine import Machine
from abiprobe.harness.runtime.script import Enter, Patch
from abiprobe.harness.vectors.copying import HEAD, RESULT_STRIDE, offsets
from abiprobe.harness.vectors.plan import VectorPlan
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.expect import contents
from abiprobe.oracles.lang import Kind, Prototype, Scalar, Type, strip
from abiprobe.oracles.place import Passing, Place, Register, StackSlot
from abiprobe.oracles.vfabi.length import is_element, is_real
from abiprobe.oracles.vfabi.roles import is_reference
from abiprobe.oracles.vfabi.variant import Once, Part, Places, Spread, Variant
from abiprobe.results.lanes import Given

POINTER_BYTES = 8
NOISE_BYTES = 1 << 16


class Case(msgspec.Struct, frozen=True):
    """A call of one variant in one turn, and what it must show."""

    plan: VectorPlan
    variant: Variant
    places: Places
    given: Given
    op: Enter
    row_bytes: int
    offsets: tuple[int, ...]


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


def cases(
    types: TypeTable, machine: Machine, plan: VectorPlan, variant: Variant, places: Places, index: int
) -> Iterator[Case]:
    """The calls of one variant, which is function `index` of the image; a turn each."""
    for turn in TURNS:
        yield _case(types, machine, plan, (variant, places), index, turn)


def _case(
    types: TypeTable,
    machine: Machine,
    plan: VectorPlan,
    about: tuple[Variant, Places],
    index: int,
    turn: int,
) -> Case:
    variant, places = about
    stream = Bytes(f"{variant.symbol} {turn}")
    active = active_lanes(variant, stream)
    call = Filled(machine, places, f"{variant.symbol} noise {turn}")
    values = travelling(types, plan.function, variant, places, stream, turn)
    for number, param in enumerate(places.params):
        if isinstance(param, Spread):
            call.spread(param, values[number])
        else:
            call.once(param, values[number][0])
    if places.mask is not None:
        call.mask(places.mask, active)
    results = result_values(plan.function, variant, places, stream)
    patches: tuple[Patch, ...] = ()
    blob = b""
    if places.hidden is not None and places.result is not None:
        patches = (Patch(machine.where(places.hidden.place), 0),)
        blob = b"\x6b" * (variant.name.lanes * places.result.element)
    at, row_bytes = offsets(types, plan.function)
    expected = tuple(
        seen_by_lanes(types, plan.function, variant, number, values) for number in range(len(places.params))
    )
    inputs = bytearray(HEAD + RESULT_STRIDE * len(active))
    for number, lane in enumerate(active):
        start = HEAD + RESULT_STRIDE * number
        inputs[start : start + len(results[lane])] = results[lane]
    op = Enter(
        index=index,
        enter=bytes(call.block),
        inputs=bytes(inputs),
        out_bytes=HEAD + row_bytes * (len(active) + 1),
        stack_poison=0x5A if turn else 0xC3,
        stack=bytes(call.stack),
        stack_offset=machine.return_address,
        blob=blob,
        blob_bytes=len(blob),
        patches=patches,
    )
    masks = tuple(types.mask(param.type) for param in plan.function.params)
    return Case(plan, variant, places, Given(active, expected, masks, results), op, row_bytes, at)


class Filled:
    """The registers and the stack of a call: noise, but for what the model names."""

    def __init__(self, machine: Machine, places: Places, text: str) -> None:
        noise = Bytes(text)
        self.machine = machine
        self.block = bytearray(machine.initial)
        for name, (at, width) in machine.registers.items():
            if name not in machine.steady:
                self.block[at : at + width] = noise.take(width)
        self.stack = bytearray(noise.take(places.stack_bytes))

    def spread(self, spread: Spread, lanes: list[bytes]) -> None:
        """The elements of each part, the first lane lowest."""
        for part in spread.parts:
            self._put(part.place, b"".join(lanes[part.first : part.last]))

    def mask(self, mask: Spread, active: tuple[int, ...]) -> None:
        """All ones for active lanes, zeros for the others; above the bits of a mask of bits stays noise."""
        for part in mask.parts:
            noise = self._get(part.place, part.width)
            self._put(part.place, mask_bits(mask, part, active, noise))

    def once(self, once: Once, value: bytes) -> None:
        """A scalar, whose undefined bits stay noise."""
        if once.passed.passing is not Passing.DIRECT:
            return
        for place in contents(once.passed, value):
            old = int.from_bytes(self._get(place.place, place.width), "little")
            self._put(place.place, ((old & ~place.care) | place.bits).to_bytes(place.width, "little"))

    def _where(self, place: Place) -> tuple[bytearray, int]:
        match place:
            case Register(name):
                return self.block, self.machine.registers[name].offset
            case StackSlot(offset):
                return self.stack, offset - self.machine.return_address

    def _get(self, place: Place, size: int) -> bytes:
        where, at = self._where(place)
        return bytes(where[at : at + size])

    def _put(self, place: Place, data: bytes) -> None:
        where, at = self._where(place)
        where[at : at + len(data)] = data


def mask_bits(mask: Spread, part: Part, active: tuple[int, ...], noise: bytes) -> bytes:
    """A part of a mask: elements of all ones or zeros, or a bit for each lane and noise above."""
    if mask.element:
        lanes = range(part.first, part.last)
        return b"".join((b"\xff" if lane in active else b"\0") * mask.element for lane in lanes)
    bits = sum(1 << (lane - part.first) for lane in active if part.first <= lane < part.last)
    count = part.last - part.first
    above = int.from_bytes(noise[: part.width], "little") >> count << count
    return (bits | above).to_bytes(part.width, "little")


def active_lanes(variant: Variant, stream: Bytes) -> tuple[int, ...]:
    """The lanes that a masked call is for, at least one; all of them without a mask."""
    lanes = range(variant.name.lanes)
    if not variant.name.masked:
        return tuple(lanes)
    chosen = stream.take(len(lanes))
    return tuple(lane for lane in lanes if chosen[lane] & 1) or (chosen[0] % len(lanes),)


def travelling(
    types: TypeTable, function: Prototype, variant: Variant, places: Places, stream: Bytes, turn: int
) -> list[list[bytes]]:
    """What travels for each parameter: an element for each lane, or one value for all."""
    strides = set(variant.strides)
    found: list[list[bytes]] = []
    for number, (param, place) in enumerate(zip(function.params, places.params, strict=True)):
        size = types.extent(param.type).size
        if isinstance(place, Spread):
            found.append([element(param.type, stream.take(size)) for _ in range(variant.name.lanes)])
        elif number in strides:
            found.append([(3 + turn).to_bytes(size, "little")])
        elif is_linear(variant, number):
            # Small enough for most steps not to leave the type.
            found.append(
                [bytes([5 + turn]) + (b"\x11" * (size - 1) if size == POINTER_BYTES else b"\0" * (size - 1))]
            )
        else:
            found.append([fill(types, param.type, number + 1, turn)])
    return found


def small_values(
    types: TypeTable, function: Prototype, variant: Variant, places: Places, stream: Bytes
) -> list[list[bytes]]:
    """As `travelling`, but small numbers, with which C can count in any type without leaving it."""
    strides = set(variant.strides)
    found: list[list[bytes]] = []
    for number, (param, place) in enumerate(zip(function.params, places.params, strict=True)):
        if isinstance(place, Spread):
            found.append([small(types, param.type, stream.take(1)[0]) for _ in range(variant.name.lanes)])
        elif number in strides or is_linear(variant, number) or is_element(types, param.type):
            found.append([small(types, param.type, 3)])
        else:
            found.append([fill(types, param.type, number + 1, 0)])
    return found


def small(types: TypeTable, c_type: Type, number: int) -> bytes:
    """A small number as a value of an arithmetic type or pointer."""
    match strip(c_type):
        case Scalar(Kind.FLOAT):
            return struct.pack("<f", number % 50)
        case Scalar(Kind.DOUBLE):
            return struct.pack("<d", number % 50)
        case Scalar(Kind.BOOL):
            return bytes([number & 1])
        case _:
            return (number % 50).to_bytes(types.extent(c_type).size, "little")


def is_linear(variant: Variant, number: int) -> bool:
    """Whether a parameter grows from lane to lane."""
    return variant.steps[number] is not None or variant.strides[number] is not None


def element(c_type: Type, raw: bytes) -> bytes:
    """Random bytes as a value of a type: a `_Bool` is 0 or 1, no float is a NaN."""
    if strip(c_type) == Scalar(Kind.BOOL):
        return bytes([raw[0] & 1])
    return raw[:-1] + bytes([raw[-1] & 0xBF]) if is_real(c_type) else raw


def seen_by_lanes(
    types: TypeTable, function: Prototype, variant: Variant, number: int, values: list[list[bytes]]
) -> tuple[bytes | None, ...]:
    """What each lane sees of a parameter; `None` where C gives it no value."""
    lanes = variant.name.lanes
    own = values[number]
    if len(own) == lanes and lanes > 1:
        return tuple(own)
    letter = variant.name.params[number][:1]
    if not is_linear(variant, number) or letter == "U":
        return tuple(own * lanes)
    step = variant.steps[number]
    stride = variant.strides[number]
    if step is None and stride is not None:
        step = int.from_bytes(values[stride][0], "little") * variant.units[number]
    assert step is not None, "a linear parameter has a step or a stride"
    return tuple(_grown(types, function.params[number].type, own[0], step * lane) for lane in range(lanes))


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


def result_values(function: Prototype, variant: Variant, places: Places, stream: Bytes) -> tuple[bytes, ...]:
    """What the function returns for each lane."""
    if function.result is None or places.result is None:
        return (b"",) * variant.name.lanes
    size = places.result.element
    c_type = function.result
    return tuple(element(c_type, stream.take(size)) for _ in range(variant.name.lanes))

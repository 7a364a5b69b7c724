"""One call of a variant: what goes into registers and stack, and what each lane must have been given."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Enter, Patch
from abiprobe.harness.observers.lanes.comparing import Given
from abiprobe.harness.observers.lanes.copying import HEAD, RESULT_STRIDE, offsets
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.references import by_value, seen_type
from abiprobe.harness.observers.lanes.values import (
    Bytes,
    active_lanes,
    result_values,
    seen_by_lanes,
    travelling,
)
from abiprobe.oracles.abis.vfabi.variant import LaneGroup, Once, Spread, Variant, VariantPlaces
from abiprobe.oracles.engine.expect import contents
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.place import Passing, Place, Register, StackSlot

REFERRED = 16
"""Bytes between what references refer to."""


class Case(msgspec.Struct, frozen=True):
    """A call of one variant in one turn, and what it must show."""

    plan: VectorPlan
    variant: Variant
    places: VariantPlaces
    given: Given
    op: Enter
    row_bytes: int
    offsets: tuple[int, ...]


def cases(
    types: TypeTable, machine: Machine, plan: VectorPlan, variant: Variant, places: VariantPlaces, index: int
) -> Iterator[Case]:
    """The calls of one variant, which is function `index` of the image; a turn each."""
    for turn in TURNS:
        yield _case(types, machine, plan, (variant, places), index, turn)


def _case(
    types: TypeTable,
    machine: Machine,
    plan: VectorPlan,
    about: tuple[Variant, VariantPlaces],
    index: int,
    turn: int,
) -> Case:
    variant, places = about
    stream = Bytes(f"{variant.symbol} {turn}")
    active = active_lanes(variant, stream)
    call = Filled(machine, places, f"{variant.symbol} noise {turn}")
    values = travelling(types, plan.function, variant, places, stream, turn)
    valued = by_value(plan.function)
    for number, param in enumerate(places.params):
        if isinstance(param, Spread):
            call.spread(param, values[number])
        elif param.name not in valued:
            call.once(param, values[number][0])
    if places.mask is not None:
        call.mask(places.mask, active)
    results = result_values(plan.function, variant, places, stream)
    patches: list[Patch] = []
    blob = b""
    if places.hidden is not None and places.result is not None:
        patches.append(Patch(machine.where(places.hidden.place), 0))
        blob = b"\x6b" * (variant.name.lanes * places.result.element)
    for number, param in enumerate(places.params):
        if isinstance(param, Once) and param.name in valued:
            patches.append(Patch(machine.where(param.passed.pieces[0].place), len(blob)))
            blob += values[number][0].ljust(REFERRED, b"\x6b")
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
        patches=tuple(patches),
    )
    masks = tuple(types.mask(seen_type(plan.function, param)) for param in plan.function.params)
    return Case(plan, variant, places, Given(active, expected, masks, results), op, row_bytes, at)


class Filled:
    """The registers and the stack of a call: noise, but for what the model names."""

    def __init__(self, machine: Machine, places: VariantPlaces, text: str) -> None:
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


def mask_bits(mask: Spread, part: LaneGroup, active: tuple[int, ...], noise: bytes) -> bytes:
    """A part of a mask: elements of all ones or zeros, or a bit for each lane and noise above."""
    if mask.element:
        lanes = range(part.first, part.last)
        return b"".join((b"\xff" if lane in active else b"\0") * mask.element for lane in lanes)
    bits = sum(1 << (lane - part.first) for lane in active if part.first <= lane < part.last)
    count = part.last - part.first
    above = int.from_bytes(noise[: part.width], "little") >> count << count
    return (bits | above).to_bytes(part.width, "little")

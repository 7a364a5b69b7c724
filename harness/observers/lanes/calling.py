"""The calls that loops make: what runs them, what the recorder returns to them, and what they passed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Call, Called, Copy, Store
from abiprobe.harness.observers.lanes.loops import ALIGN, LOOP, WHO, Loop
from abiprobe.harness.observers.lanes.values import Bytes, element
from abiprobe.oracles.abis.vfabi.variant import Spread, Variant, VariantPlaces
from abiprobe.oracles.text.place import Place, Register, StackSlot

PRESERVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")


class Pattern(msgspec.Struct, frozen=True):
    """The results that a recorder returns: the elements of the lanes, where the variant leaves them."""

    returns: bytes
    stores: tuple[Store, ...]


def results(loop: Loop, variant: Variant) -> tuple[bytes, ...]:
    """The result of each lane of a variant, none where it has no result."""
    if not isinstance(variant.places, VariantPlaces) or variant.places.result is None:
        return ()
    c_type, size = loop.plan.function.result, variant.places.result.element
    assert c_type is not None, "only functions with a result are called"
    stream = Bytes(f"{variant.symbol} result")
    return tuple(element(c_type, stream.take(size)) for _ in range(variant.name.lanes))


def pattern(machine: Machine, loop: Loop, variant: Variant | None) -> Pattern:
    """Return the places of a variant's results; only noise for the scalar function."""
    block = bytearray(machine.initial)
    if variant is None or not isinstance(variant.places, VariantPlaces) or variant.places.result is None:
        return Pattern(bytes(block), ())
    lanes = results(loop, variant)
    hidden = variant.places.hidden
    if hidden is not None:
        return Pattern(bytes(block), (Store(machine.where(hidden.place), b"".join(lanes)),))
    for part in variant.places.result.parts:
        at = machine.where(part.place)
        data = b"".join(lanes[part.first : part.last])
        block[at : at + len(data)] = data
    return Pattern(bytes(block), ())


def operation(machine: Machine, loop: Loop, index: int, variant: Variant | None) -> Call:
    """Run a loop whose calls return the results of a variant."""
    offsets = (machine.registers[name].offset for name in PRESERVED)
    assert loop.plan.function.result is not None, "only functions with a result are called"
    returned = pattern(machine, loop, variant)
    lanes = () if variant is None else results(loop, variant)
    return Call(
        index=index,
        enter=machine.initial,
        returns=returned.returns,
        inputs=loop.inputs,
        out_bytes=LOOP * max((len(lane) for lane in lanes), default=8),
        stack_window=max(stack_needed(variant) for variant in loop.plan.variants.variants),
        stores=returned.stores,
        copies=tuple(Copy(offset, offset, 8) for offset in offsets),
    )


def stack_needed(variant: Variant) -> int:
    """Bytes above the stack pointer at entry in which a variant looks for its arguments."""
    places = variant.places
    return places.stack_bytes + ALIGN if isinstance(places, VariantPlaces) else ALIGN


def called(machine: Machine, loop: Loop, record: Called) -> Variant | None:
    """The variant that a loop called first; `None` for the scalar function."""
    number = machine.number(record.captured, WHO) & 0xFFFF_FFFF if record.captures else 0
    variants = loop.plan.variants.variants
    return variants[number - 1] if 0 < number <= len(variants) else None


class Argument(msgspec.Struct, frozen=True):
    """One part of what a call passes: parameter and lane (0 for a scalar), where it is, its value and the bits that count."""

    number: int
    lane: int
    place: Place
    start: int
    value: bytes
    mask: bytes


def arguments(loop: Loop, variant: Variant) -> Iterator[Argument]:
    """Yield the arguments of the first call of a variant."""
    places = variant.places
    assert isinstance(places, VariantPlaces), "what is called has places"
    for number, param in enumerate(places.params):
        own = loop.values[number]
        if isinstance(param, Spread):
            for part in param.parts:
                for lane in range(part.first, part.last):
                    start, value = (lane - part.first) * param.element, own[lane]
                    yield Argument(number, lane, part.place, start, value, b"\xff" * len(value))
            continue
        for piece in param.passed.pieces:
            mask = param.passed.mask[piece.start : piece.end]
            yield Argument(number, 0, piece.place, 0, own[0][piece.start : piece.end], mask)


def passed(machine: Machine, loop: Loop, variant: Variant, record: Called) -> tuple[bytes, ...]:
    """The bytes of each argument that a captured call has where the model puts it."""
    return tuple(
        at_place(machine, record, one.place, one.start + len(one.value))[one.start :]
        for one in arguments(loop, variant)
    )


def at_place(machine: Machine, record: Called, place: Place, size: int) -> bytes:
    """The bytes that a captured call has at a place."""
    match place:
        case Register(name):
            return machine.read(record.captured, name)[:size]
        case StackSlot(offset):
            return record.window[offset : offset + size]

"""The calls that loops make: what runs them, what the recorder returns to them, and what they passed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.runtime.machine import Machine
from abiprobe.harness.runtime.script import Call, Called, Copy, Store
from abiprobe.harness.vectors.loops import ALIGN, LOOP, WHO, Loop
from abiprobe.harness.vectors.values import Bytes, element
from abiprobe.oracles.place import Place, Register, StackSlot
from abiprobe.oracles.vfabi.variant import Places, Spread, Variant

PRESERVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")


class Pattern(msgspec.Struct, frozen=True):
    """What a recorder returns: the elements of the lanes, where the variant leaves them."""

    results: tuple[bytes, ...]
    returns: bytes
    stores: tuple[Store, ...]


def pattern(machine: Machine, loop: Loop, variant: Variant | None) -> Pattern:
    """A result for each lane of a variant; nothing but noise for the scalar function."""
    block = bytearray(machine.initial)
    if variant is None or not isinstance(variant.places, Places) or variant.places.result is None:
        return Pattern((), bytes(block), ())
    result, c_type = variant.places.result, loop.plan.function.result
    assert c_type is not None, "only functions with a result are called"
    stream = Bytes(f"{variant.symbol} result")
    lanes = tuple(element(c_type, stream.take(result.element)) for _ in range(variant.name.lanes))
    hidden = variant.places.hidden
    if hidden is not None:
        return Pattern(lanes, bytes(block), (Store(machine.where(hidden.place), b"".join(lanes)),))
    for part in result.parts:
        at = machine.where(part.place)
        data = b"".join(lanes[part.first : part.last])
        block[at : at + len(data)] = data
    return Pattern(lanes, bytes(block), ())


def operation(machine: Machine, loop: Loop, index: int, returned: Pattern) -> Call:
    """Run a loop whose calls return a pattern."""
    offsets = (machine.registers[name].offset for name in PRESERVED)
    assert loop.plan.function.result is not None, "only functions with a result are called"
    return Call(
        index=index,
        enter=machine.initial,
        returns=returned.returns,
        inputs=loop.inputs,
        out_bytes=LOOP * max((len(lane) for lane in returned.results), default=8),
        stack_window=max(stack_needed(variant) for variant in loop.plan.variants.variants),
        stores=returned.stores,
        copies=tuple(Copy(offset, offset, 8) for offset in offsets),
    )


def stack_needed(variant: Variant) -> int:
    """Bytes above the stack pointer at entry in which a variant looks for its arguments."""
    places = variant.places
    return places.stack_bytes + ALIGN if isinstance(places, Places) else ALIGN


def called(machine: Machine, loop: Loop, record: Called) -> Variant | None:
    """The variant that a loop called first; `None` for the scalar function."""
    number = machine.number(record.captured, WHO) & 0xFFFF_FFFF if record.captures else 0
    variants = loop.plan.variants.variants
    return variants[number - 1] if 0 < number <= len(variants) else None


def passed(
    machine: Machine, loop: Loop, variant: Variant, record: Called
) -> Iterator[tuple[int, int, bytes, bytes]]:
    """What the first call of a variant passed: parameter, lane, what it must be and what it is.

    A scalar is told as lane 0.
    """
    places = variant.places
    assert isinstance(places, Places), "what is called has places"
    for number, param in enumerate(places.params):
        own = loop.values[number]
        if isinstance(param, Spread):
            for part in param.parts:
                held = at_place(machine, record, part.place, part.width)
                for lane in range(part.first, part.last):
                    start = (lane - part.first) * param.element
                    yield number, lane, own[lane], held[start : start + param.element]
            continue
        for piece in param.passed.pieces:
            size = piece.end - piece.start
            mask = param.passed.mask[piece.start : piece.end]
            held = at_place(machine, record, piece.place, size)
            yield (
                number,
                0,
                bytes(a & b for a, b in zip(own[0][piece.start : piece.end], mask, strict=True)),
                bytes(a & b for a, b in zip(held, mask, strict=True)),
            )


def at_place(machine: Machine, record: Called, place: Place, size: int) -> bytes:
    """The bytes that a captured call has at a place."""
    match place:
        case Register(name):
            return machine.read(record.captured, name)[:size]
        case StackSlot(offset):
            return record.window[offset : offset + size]

"""The bytes that launched functions find: values that their types can hold, and noise in all other places."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from abiprobe.generators.values import TURNS, fill
from abiprobe.harness.observers.device.assembler.cubin import KernelParameter
from abiprobe.harness.observers.device.assembler.probes import END, OUT, RESULT, START
from abiprobe.harness.observers.device.cuda.partners import Raw
from abiprobe.harness.observers.device.plan import DevicePlan
from abiprobe.oracles.abis.ptx.sass.places import RESULT_LIMIT, WORD
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.place import Extension, Passed

NOISE = tuple(hashlib.shake_128(f"abiprobe device {turn}".encode()).digest(END) for turn in TURNS)


def values(plan: DevicePlan, types: TypeTable, turn: int) -> Iterator[bytes]:
    """The arguments of a call in a turn, and its result behind them."""
    for index, argument in enumerate(plan.prototype.arguments, 1):
        yield fill(types, argument.type, index, turn)
    if plan.prototype.result is not None:
        yield fill(types, plan.prototype.result, 0, turn)


def window(plan: DevicePlan, types: TypeTable, turn: int) -> bytes:
    """Memory with each value where a compiled function loads it."""
    memory = bytearray(NOISE[turn])
    copied = (*plan.slots.params, *((plan.slots.result,) if plan.slots.result is not None else ()))
    for value, place in zip(values(plan, types, turn), copied, strict=True):
        memory[place.slot : place.slot + len(value)] = value
    return bytes(memory)


def raw_window(plan: DevicePlan, types: TypeTable, turn: int) -> bytes:
    """Memory with each byte of an argument where the raw caller loads its register or place on the stack."""
    memory = bytearray(NOISE[turn])
    own = list(values(plan, types, turn))
    for passed, value in zip(plan.assignment.params, own, strict=False):
        for address, byte in at_places(plan, passed, value):
            memory[address] = byte
    if plan.slots.result is not None:
        memory[RESULT : RESULT + len(own[-1])] = own[-1]
    return bytes(memory)


def at_places(plan: DevicePlan, passed: Passed, value: bytes) -> Iterator[tuple[int, int]]:
    """The bytes of a value, and of what it is extended by, at the places of the model."""
    raw = Raw.of(plan.assignment)
    for piece in passed.pieces:
        start = raw.slot(piece.place)
        if start is None:
            continue
        part = value[piece.start : piece.end]
        if piece.extension in {Extension.SIGN, Extension.ZERO}:
            negative = piece.extension is Extension.SIGN and bool(part[-1] & 0x80)
            part += bytes([0xFF * negative]) * (WORD - len(part))
        yield from enumerate(part, start)


def used(plan: DevicePlan) -> tuple[int, int]:
    """The bytes that parameters, at their slots or raw, and the result take."""
    last = plan.slots.params[-1:]
    own = max((one.slot + one.size - START for one in last), default=0)
    result = 0 if plan.slots.result is None else max(plan.slots.result.size, RESULT_LIMIT)
    return max(own, Raw.of(plan.assignment).size if plan.silence is None else 0), result


def fits(plan: DevicePlan) -> bool:
    """Return whether the values have room beside their copies."""
    params, result = used(plan)
    return params <= OUT and result <= END - OUT - RESULT


def parameters(
    plan: DevicePlan, types: TypeTable, turn: int, found: Sequence[KernelParameter], size: int
) -> tuple[bytes, tuple[bytes, ...]]:
    """A kernel's parameter block of so many bytes, with values where the image has them, and the values one by one."""
    block = bytearray(NOISE[turn][:size])
    own = []
    for param, value in zip(found, values(plan, types, turn), strict=False):
        part = value[: param.size].ljust(param.size, b"\0")
        own.append(part)
        block[param.offset : param.offset + param.size] = part
    return bytes(block), tuple(own)

"""Where a part of a value stands in registers, on the stack, and in the memory that addresses among them lead to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.image.operations import noise_block
from abiprobe.harness.observers.image.parts import Part
from abiprobe.oracles.place import Place, Register, StackSlot
from abiprobe.results.compare import str_place

FINITE = 0xBF
"""Keeps a bit of every exponent clear, so that noise is never read as a NaN, which a move may change."""
NOISE = tuple(
    bytes(
        byte & (FINITE if at % 4 == 3 else 0xFF)
        for at, byte in enumerate(hashlib.shake_128(seed).digest(1 << 16))
    )
    for seed in (f"open {turn}".encode() for turn in TURNS)
)


class State(msgspec.Struct, frozen=True):
    """Registers and stack at one moment, and what the addresses at some places lead to.

    `stack` starts at the stack pointer of the called function.
    """

    block: bytes
    stack: bytes
    memory: Mapping[str, bytes]


def noise(machine: Machine, turn: int) -> bytearray:
    """A state block of noise that may be read as any type."""
    block = bytearray(noise_block(machine, turn))
    for name, (at, width) in machine.registers.items():
        if name not in machine.steady:
            block[at : at + width] = NOISE[turn][at : at + width]
    return block


@cache
def addresses(machine: Machine, area: int) -> tuple[Place, ...]:
    """Every place that may hold the address of a value: general registers, and the words of an argument area."""
    general = (
        Register(name)
        for name, slot in machine.registers.items()
        if slot.width == machine.pointer
        and name not in machine.steady
        and not name.startswith(("mm", "f", "k"))
    )
    first = machine.return_address
    return (*general, *(StackSlot(at) for at in range(first, first + area, machine.pointer)))


@cache
def named(machine: Machine) -> Mapping[int, tuple[str, int, int]]:
    """For each byte of a state block in which a value can stand: the register, the byte in it, and the bytes left there."""
    found: dict[int, tuple[str, int, int]] = {}
    for name, (at, width) in machine.registers.items():
        for inside in range(width) if name not in machine.steady else ():
            found.setdefault(at + inside, (name, inside, width - inside))
    return found


def standing(
    part: Part, values: tuple[bytes, ...], states: tuple[State, ...], machine: Machine
) -> tuple[str, ...]:
    """Every place where a part of a value stands in the states of all turns, sorted."""
    places = [
        set(everywhere(part, value, state, machine)) for value, state in zip(values, states, strict=True)
    ]
    return tuple(sorted(set.intersection(*places)))


def everywhere(part: Part, value: bytes, state: State, machine: Machine) -> Iterator[str]:
    """Every place where a part of a value stands in one state."""
    size, wanted = part.end - part.start, value[part.start : part.end]
    own = named(machine)
    for at in occurrences(part, wanted, state.block):
        name, inside, left = own.get(at, ("", 0, 0))
        if left >= size:
            yield f"{name}[{inside}]" if inside else name
    for at in occurrences(part, wanted, state.stack):
        if at >= machine.return_address:
            yield str_place(StackSlot(at))
    for place, data in state.memory.items():
        if len(data) >= part.end and part.of(data) == part.of(value):
            yield f"memory at {place}"


def occurrences(part: Part, wanted: bytes, data: bytes) -> Iterator[int]:
    """Where the bits of a part stand in some bytes."""
    if part.whole:
        at = data.find(wanted)
        while at >= 0:
            yield at
            at = data.find(wanted, at + 1)
        return
    size, bits = len(wanted), int.from_bytes(wanted, "little") & part.mask
    for at in range(len(data) - size + 1):
        if int.from_bytes(data[at : at + size], "little") & part.mask == bits:
            yield at

"""Where a part of a value stands in registers, on the stack, and in the memory that addresses among them lead to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.observers.image.operations import noise_block
from abiprobe.harness.observers.image.parts import Part
from abiprobe.oracles.engine.doubles import SINGLE, as_single, moderate
from abiprobe.oracles.place import Place, Register, StackSlot
from abiprobe.results.compare import str_place

FINITE = 0xBF
"""Keeps a bit of every exponent clear, so that noise is never read as a NaN, which a move may change."""
NOISE = tuple(
    bytes(
        byte & (FINITE if at % 4 in {0, 3} else 0xFF)
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
        if name in machine.doubles:
            number = moderate(int.from_bytes(block[at : at + width], machine.order))
            block[at : at + width] = number.to_bytes(width, machine.order)
    return block


@cache
def addresses(machine: Machine, area: int) -> tuple[Place, ...]:
    """Every place that may hold the address of a value: general registers, and the words of an argument area."""
    general = (
        Register(name)
        for name, slot in machine.registers.items()
        if slot.width == machine.word
        and name not in machine.steady
        and not name.startswith(("mm", "f", "k"))
    )
    first = machine.return_address
    return (*general, *(StackSlot(at) for at in range(first, first + area, machine.word)))


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
    if not states:
        return ()
    wanted = [part.of(value) for value in values]
    blocks, stacks = [state.block for state in states], [state.stack for state in states]
    found = [*registers(part, wanted, blocks, machine), *slots(part, wanted, stacks, machine.return_address)]
    _, whole = whole_bytes(part, wanted[0])
    for place, data in states[0].memory.items():
        # There are many places, and in most of them the value is not.
        if whole in data:
            found += in_memory(part, wanted, [state.memory.get(place, b"") for state in states], place)
    return tuple(sorted(found))


def in_memory(part: Part, wanted: Sequence[int], data: Sequence[bytes], place: str) -> Iterator[str]:
    """The memory that an address at `place` leads to, if the value lies there, or how far behind it the part alone lies."""
    if all(part.of(one) == bits for bits, one in zip(wanted, data, strict=True)):
        yield f"memory at {place}"
        return
    yield from (
        f"memory {at} bytes behind {place}" if at else f"memory at {place}, by itself"
        for at in occurrences(part, wanted, data)
    )


def registers(part: Part, wanted: Sequence[int], blocks: Sequence[bytes], machine: Machine) -> Iterator[str]:
    """The registers, with the byte where it is not the first, that hold a part of a value in all turns."""
    size, own = part.end - part.start, named(machine)
    for at in occurrences(part, wanted, blocks):
        name, inside, left = own.get(at, ("", 0, 0))
        if left >= size:
            yield f"{name}[{inside}]" if inside else name
    if size == SINGLE:
        yield from singles(part, wanted, blocks, machine)


def singles(part: Part, wanted: Sequence[int], blocks: Sequence[bytes], machine: Machine) -> Iterator[str]:
    """The registers that hold a `float` in all turns as the `double` of the same value."""
    for name in sorted(machine.doubles):
        held = [as_single(machine.number(block, name)).to_bytes(SINGLE, machine.order) for block in blocks]
        found = [int.from_bytes(one, "little") & part.mask for one in held]
        if found == list(wanted):
            yield f"{name} as double"


def slots(part: Part, wanted: Sequence[int], stacks: Sequence[bytes], first: int) -> Iterator[str]:
    """The stack offsets from `first` on that hold a part of a value in all turns."""
    for at in occurrences(part, wanted, stacks):
        if at >= first:
            yield str_place(StackSlot(at))


def occurrences(part: Part, wanted: Sequence[int], turns: Sequence[bytes]) -> Iterator[int]:
    """Where the bits of a part stand in the bytes of all turns."""
    size, mask = part.end - part.start, part.mask
    pairs = list(zip(wanted, turns, strict=True))
    for at in candidates(part, wanted[0], turns[0]):
        inside = at + size <= len(turns[0])
        if inside and all(
            int.from_bytes(one[at : at + size], "little") & mask == bits for bits, one in pairs
        ):
            yield at


def candidates(part: Part, wanted: int, data: bytes) -> Iterator[int]:
    """Where a part may begin: where its whole bytes stand, or anywhere if it has none."""
    start, whole = whole_bytes(part, wanted)
    if not whole:
        yield from range(len(data) - (part.end - part.start) + 1)
        return
    at = data.find(whole)
    while at >= 0:
        if at >= start:
            yield at - start
        at = data.find(whole, at + 1)


def whole_bytes(part: Part, wanted: int) -> tuple[int, bytes]:
    """The first bytes of a part all of whose bits count, and at which byte of it they begin; none if it has none."""
    size = part.end - part.start
    bits, mask = wanted.to_bytes(size, "little"), part.mask.to_bytes(size, "little")
    start = mask.find(b"\xff")
    if start < 0:
        return 0, b""
    end = start
    while end < size and mask[end] == 0xFF:
        end += 1
    return start, bits[start:end]

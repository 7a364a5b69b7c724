"""Search for a part of a value in registers, on the stack, and in the memory that addresses among them point to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import AREA, STACK_BYTES
from abiprobe.harness.observers.image.parts import ValuePart
from abiprobe.harness.observers.image.pieces import Held
from abiprobe.oracles.engine.doubles import SINGLE, as_single, moderate
from abiprobe.oracles.text.place import Located, Place, Register, RegisterFile, StackSlot
from abiprobe.results.verdicts.locations import AtAddress
from abiprobe.results.verdicts.wording import spot_text

FINITE = 0xBF
"""Keeps a bit of every exponent clear, so that noise is never read as a NaN, which a move may change."""
STACK_NOISE = 1 << 14
MEMORY_NOISE = STACK_NOISE + STACK_BYTES
"""Where in the noise of a turn that of the stack begins, and that of the memory which addresses lead to."""


@cache
def noise_of(turn: int) -> bytes:
    """The noise of a turn, for registers, the stack and memory; no two of these have any of it in common."""
    data = bytearray(hashlib.shake_128(f"open {turn}".encode()).digest(MEMORY_NOISE + AREA))
    for first in (0, 3):
        data[first::4] = data[first::4].translate(kept_bits(FINITE))
    return bytes(data)


class State(msgspec.Struct, frozen=True):
    """Registers and stack at one moment, and what the addresses at some places lead to.

    `stack` starts at the stack pointer of the called function.
    """

    block: bytes
    stack: bytes
    memory: Mapping[Located, bytes]


class Address(msgspec.Struct, frozen=True):
    """A place that may hold an address, and how the image encodes it."""

    place: Located
    where: int


@cache
def noise(machine: Machine, turn: int) -> bytes:
    """A state block of noise that may be read as any type."""
    block, own = bytearray(machine.initial), noise_of(turn)
    for name, (at, width) in machine.registers.items():
        if name not in machine.steady:
            block[at : at + width] = own[at : at + width]
        if name in machine.doubles:
            number = moderate(int.from_bytes(block[at : at + width], machine.order))
            block[at : at + width] = number.to_bytes(width, machine.order)
    return bytes(block)


ADDRESSING = frozenset({RegisterFile.GENERAL, RegisterFile.SAVED})
"""The files of registers that hold addresses."""


@cache
def addresses(machine: Machine, area: int) -> tuple[Address, ...]:
    """Every place that may hold the address of a value: general registers, and the words of an argument area."""
    general: Iterator[Place] = (
        Register(name)
        for name, slot in machine.registers.items()
        if slot.width == machine.word and name not in machine.steady and machine.files[name] in ADDRESSING
    )
    first = machine.return_address
    words = (StackSlot(at) for at in range(first, first + area, machine.word))
    return tuple(
        Address(Located.of(place, machine.files), machine.where(place)) for place in (*general, *words)
    )


@cache
def named(machine: Machine) -> Mapping[int, tuple[Located, int]]:
    """Map each byte of a state block that can hold a value to the byte of the narrowest register, and the bytes left there."""
    found: dict[int, tuple[Located, int]] = {}
    for name, (at, width) in sorted(machine.registers.items(), key=lambda item: item[1].width):
        for inside in range(width) if name not in machine.steady else ():
            place = Located(Register(name), inside, machine.files[name])
            found.setdefault(at + inside, (place, width - inside))
    return found


class SoughtPart(msgspec.Struct, frozen=True):
    """A part of a value, with its bits in each turn.

    It is looked for by its `key` bytes of each turn, which begin at byte `start` of the part: all of their bits count, or
    those do that are left in a byte which is translated by `clear`.
    """

    part: ValuePart
    bits: tuple[int, ...]
    start: int
    key: tuple[bytes, ...]
    clear: bytes | None = None

    @property
    def size(self) -> int:
        """Bytes of the part."""
        return self.part.end - self.part.start


def sought(part: ValuePart, values: Sequence[bytes]) -> SoughtPart:
    """A part of a value as it is looked for, by the first bytes all of whose bits count, or by the one of which most do."""
    size = part.end - part.start
    bits, mask = tuple(part.of(value) for value in values), part.mask.to_bytes(size, "little")
    turns = [turn.to_bytes(size, "little") for turn in bits]
    start = mask.find(b"\xff")
    if start >= 0:
        end = next((at for at in range(start, size) if mask[at] != 0xFF), size)
        return SoughtPart(part, bits, start, tuple(turn[start:end] for turn in turns))
    start = max(range(size), key=lambda at: mask[at].bit_count())
    return SoughtPart(
        part, bits, start, tuple(turn[start : start + 1] for turn in turns), kept_bits(mask[start])
    )


@cache
def kept_bits(mask: int) -> bytes:
    """The table by which `bytes.translate` keeps the bits of a byte that are set in `mask`."""
    return bytes(byte & mask for byte in range(256))


def places_holding(
    part: ValuePart, values: tuple[bytes, ...], states: tuple[State, ...], machine: Machine
) -> tuple[Held, ...]:
    """Every place where a part of a value is in the states of all turns, sorted."""
    if not states:
        return ()
    wanted = sought(part, values)
    blocks, stacks = [state.block for state in states], [state.stack for state in states]
    found: list[Held] = [
        *registers(wanted, blocks, machine),
        *slots(wanted, stacks, machine.return_address),
    ]
    for place, data in states[0].memory.items():
        # There are many places, and in most of them the value is not.
        if wanted.clear or wanted.key[0] in data:
            found += in_memory(wanted, [state.memory.get(place, b"") for state in states], place)
    return tuple(sorted(found, key=spot_text))


def in_memory(wanted: SoughtPart, data: Sequence[bytes], place: Located) -> Iterator[AtAddress]:
    """The memory that an address at `place` leads to, if the value lies there, or how far behind it the part alone lies."""
    if all(wanted.part.of(one) == bits for bits, one in zip(wanted.bits, data, strict=True)):
        yield AtAddress(place)
        return
    yield from (AtAddress(place, at, alone=not at) for at in occurrences(wanted, data))


def registers(wanted: SoughtPart, blocks: Sequence[bytes], machine: Machine) -> Iterator[Located]:
    """The registers, with the byte where it is not the first, that hold a part of a value in all turns."""
    own = named(machine)
    for at in occurrences(wanted, blocks):
        place, left = own.get(at, (None, 0))
        if place is not None and left >= wanted.size:
            yield place
    if wanted.size == SINGLE:
        yield from singles(wanted, blocks, machine)


def singles(wanted: SoughtPart, blocks: Sequence[bytes], machine: Machine) -> Iterator[Located]:
    """The registers that hold a `float` in all turns as the `double` of the same value."""
    for name in sorted(machine.doubles):
        held = [as_single(machine.number(block, name)).to_bytes(SINGLE, machine.order) for block in blocks]
        if wanted.bits == tuple(int.from_bytes(one, "little") & wanted.part.mask for one in held):
            yield Located(Register(name), 0, machine.files[name], as_double=True)


def slots(wanted: SoughtPart, stacks: Sequence[bytes], first: int) -> Iterator[Located]:
    """The stack offsets from `first` on that hold a part of a value in all turns."""
    for at in occurrences(wanted, stacks):
        if at >= first:
            yield Located(StackSlot(at))


def occurrences(wanted: SoughtPart, turns: Sequence[bytes]) -> Iterator[int]:
    """Yield the offsets at which the bits of a part stand in the bytes of all turns."""
    size, mask = wanted.size, wanted.part.mask
    last = len(turns[0]) - size
    for at in candidates(wanted, turns):
        if 0 <= at <= last and all(
            int.from_bytes(one[at : at + size], "little") & mask == bits
            for bits, one in zip(wanted.bits, turns, strict=True)
        ):
            yield at


def candidates(wanted: SoughtPart, turns: Sequence[bytes]) -> Iterator[int]:
    """Yield the offsets at which a part may begin: where its key bytes stand in all turns."""
    clear = wanted.clear
    first, *others = turns if clear is None else [one.translate(clear) for one in turns]
    key, *further = wanted.key
    pairs = tuple(zip(others, further, strict=True))
    at = first.find(key, wanted.start)
    while at >= 0:
        for one, bits in pairs:
            if not one.startswith(bits, at):
                break
        else:
            yield at - wanted.start
        at = first.find(key, at + 1)

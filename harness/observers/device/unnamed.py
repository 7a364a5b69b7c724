"""Unnamed arguments in PTX: the memory that they are passed in, by its address space and the byte at which each begins.

All compilers declare the parameter behind the named ones alike, as an address of 64 bits or as an array without a size, so
declarations go together where one passes an address in the local window and another loads from a generic address. What
a caller stores, and what a callee loads, is followed through the text, byte by byte. Callers and callees have no branches, but
where one has, and where an operation is not known here, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

import msgspec

from abiprobe.harness.observers.device.assembler.probes import OUT
from abiprobe.harness.observers.device.unit import Copied
from abiprobe.oracles.abis.ptx.unnamed import Pieces

GENERIC, LOCAL = "generic", "local"
ARRAY = "%VAParam"
"""Nvcc's name of the array of a callee's unnamed arguments."""


FRAME = "__local_depot"
"""Clang's name of the memory of a function's variables."""


class Byte(NamedTuple):
    """A byte of shared memory, or of the memory of unnamed arguments, by its number."""

    of: str
    at: int


class Address(NamedTuple):
    """An address in the frame of a function or in the memory of unnamed arguments, which `of` tells."""

    offset: int
    space: str
    of: str


SHARED, AREA, OWN = "shared", "area", "frame"
ZERO = Byte("zero", 0)
Value: TypeAlias = "int | Address | tuple[Byte | None, ...]"
_STATEMENT = re.compile(r"^\s*([a-z][\w.:]*)\s+([^;]+);")
_OPERAND = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+")
_PLACE = re.compile(r"\[([%\w]+)(?:\+(-?\d+))?\]")
_WIDTH = re.compile(r"(\d+)$")
_BRANCH = re.compile(r"^\s*(?:@|bra\b|\$?L\w+:)", re.MULTILINE)


class Area(msgspec.Struct, frozen=True, array_like=True):
    """The memory of the unnamed arguments of a call: its address space, empty where it is no address or not known.

    `offsets` are the bytes at which the arguments begin, `None` for one that was not followed, and for one that lies in several parts,
    or was followed from a later byte on: its parts are in `in_parts`.
    """

    space: str = ""
    offsets: tuple[int | None, ...] = ()
    in_parts: tuple[Pieces, ...] = ()

    @classmethod
    def of(cls, space: str, memory: Mapping[int, Byte | None], copied: Sequence[Copied]) -> Area:
        """The area with the arguments that were copied from, or to, shared memory."""
        found = tuple(pieces(memory, one) for one in copied)
        whole = [len(own) == 1 and not own[0][0] for own in found]
        offsets = tuple(own[0][1] if fits else None for own, fits in zip(found, whole, strict=True))
        in_parts = tuple(() if fits else own for own, fits in zip(found, whole, strict=True))
        return cls(space, offsets, in_parts if any(in_parts) else ())

    def parts(self, number: int) -> Pieces:
        """The parts of an argument, one for what is in one piece, none for what was not followed."""
        if number < len(self.in_parts) and self.in_parts[number]:
            return self.in_parts[number]
        begin = self.offsets[number] if number < len(self.offsets) else None
        return () if begin is None else ((0, begin),)


def passed(body: str, parameter: int, copied: Sequence[Copied]) -> Area:
    """Return the area that a caller passes as the parameter of that number; `copied` are the arguments in shared memory."""
    run = Run({}, "")
    run.follow(body)
    name = f"param{parameter}"
    base = run.passed.get(name)
    if isinstance(base, Address):
        stored = {at - base.offset: byte for at, byte in run.frame.items()}
        return Area.of(base.space, stored, copied)
    return Area.of("", run.arrays.get(name, {}), copied)


def taken(body: str, parameter: str, copied: Sequence[Copied]) -> Area:
    """Return the area that a callee takes by the parameter of that name; `copied` is where it stores the arguments."""
    run = Run({ARRAY: Address(0, LOCAL, AREA)}, parameter)
    run.follow(body)
    loaded = {
        byte.at: Byte(SHARED, at - OUT)
        for at, byte in run.shared.items()
        if byte is not None and byte.of == AREA
    }
    # An array is no address that somebody passes.
    space = run.space if run.by_parameter else ""
    return Area.of(space, loaded, copied)


def pieces(memory: Mapping[int, Byte | None], one: Copied) -> Pieces:
    """The parts of a value in a memory, by the bytes that are found in it; none if one of them is there twice."""
    within = range(one.slot, one.slot + one.size)
    held = [
        (byte.at - one.slot, at)
        for at, byte in memory.items()
        if byte is not None and byte.of == SHARED and byte.at in within
    ]
    if len({byte for byte, _ in held}) < len(held):
        return ()
    parts: list[tuple[int, int]] = []
    for byte, at in sorted(held):
        if not parts or parts[-1][1] != at - byte:
            parts.append((byte, at - byte))
    return tuple(parts)


class Run:
    """The registers and memories of a function without branches, as far as they are known.

    `parameter` is the one whose value is the address of the unnamed arguments.
    """

    def __init__(self, registers: dict[str, Value], parameter: str) -> None:
        self.registers = registers
        self.parameter = parameter
        self.frame: dict[int, Byte | None] = {}
        self.shared: dict[int, Byte | None] = {}
        self.arrays: dict[str, dict[int, Byte | None]] = {}
        self.passed: dict[str, Value] = {}
        self.space = ""
        self.by_parameter = False

    def follow(self, body: str) -> None:
        """Go through the statements of a function."""
        if _BRANCH.search(body):
            return
        for line in body.splitlines():
            found = _STATEMENT.match(line)
            if found is not None and "." in found[1]:
                self.step(found[1].replace("::", "."), _OPERAND.findall(found[2]))

    def step(self, operation: str, operands: Sequence[str]) -> None:
        """One statement."""
        name, *modifiers = operation.split(".")
        width = bytes_of(modifiers)
        match name, operands:
            case "ld", (target, place):
                self.load(modifiers, width, names(target), place)
            case "st", (place, source):
                self.store(modifiers, width, place, names(source))
            case "mov", (target, source):
                values = [self.value(one) for one in names(source)]
                self.assign(names(target), joined(values, width))
            case ("cvta", (target, source)):
                at = self.value(source)
                self.registers.pop(target, None)
                if isinstance(at, Address):
                    self.registers[target] = at._replace(space=GENERIC)
            case (_, (target, *sources)):
                made = computed(name, width, [self.value(one) for one in sources])
                self.registers.pop(target, None)
                if made is not None:
                    self.registers[target] = made
            case _:
                pass

    def value(self, operand: str) -> Value | None:
        """The value of a register, of a constant, or the address of a caller's frame."""
        if operand.startswith(FRAME):
            return Address(0, LOCAL, OWN)
        return int(operand, 0) if re.fullmatch(r"-?\d+", operand) else self.registers.get(operand)

    def assign(self, targets: Sequence[str], value: Value | None) -> None:
        """Give a register its value, or some their parts of it."""
        parts: list[Value | None] = [value]
        if len(targets) > 1:
            whole = value if isinstance(value, tuple) and not isinstance(value, Address) else ()
            size = len(whole) // len(targets)
            parts = [whole[start * size :][:size] or None for start in range(len(targets))]
        for target, part in zip(targets, parts, strict=True):
            self.registers.pop(target, None)
            if part is not None and target != "_":
                self.registers[target] = part

    def load(self, modifiers: Sequence[str], width: int, targets: Sequence[str], place: str) -> None:
        """A load: from shared memory, by the address of the unnamed arguments, or of a parameter."""
        base, offset = self.place(place)
        for number, target in enumerate(targets):
            self.registers.pop(target, None)
            first = offset + number * width
            if "param" in modifiers:
                if base == self.parameter:
                    self.registers[target], self.by_parameter = Address(0, "", AREA), True
            elif "shared" in modifiers:
                at = self.value(base)
                if isinstance(at, int):
                    self.registers[target] = tuple(Byte(SHARED, at + first + index) for index in range(width))
            elif isinstance(at := self.value(base), Address):
                places = range(first + at.offset, first + at.offset + width)
                if at.of == OWN:
                    self.registers[target] = tuple(self.frame.get(place) for place in places)
                    continue
                self.registers[target] = tuple(Byte(AREA, place) for place in places)
                self.space = at.space or (LOCAL if LOCAL in modifiers else GENERIC)

    def store(self, modifiers: Sequence[str], width: int, place: str, sources: Sequence[str]) -> None:
        """A store: to shared memory, to the frame, or of a parameter for a call."""
        base, offset = self.place(place)
        for number, source in enumerate(sources):
            value, first = self.value(source), offset + number * width
            stored = as_bytes(value, width)
            if "param" in modifiers:
                if value is not None and not first:
                    self.passed[base] = value
                memory = self.arrays.setdefault(base, {})
            else:
                at = self.value(base)
                if isinstance(at, Address) and at.of == OWN:
                    memory, first = self.frame, first + at.offset
                elif isinstance(at, int):
                    memory, first = self.shared, first + at
                else:
                    continue
            memory.update({first + index: byte for index, byte in enumerate(stored)})

    @staticmethod
    def place(operand: str) -> tuple[str, int]:
        """The register or name of an address, and the constant that is added to it."""
        found = _PLACE.fullmatch(operand)
        return (found[1], int(found[2] or 0)) if found else ("", 0)


def names(operand: str) -> list[str]:
    """The registers of an operand, of which a vector has several."""
    return [one.strip() for one in operand.strip("{}").split(",")]


def bytes_of(modifiers: Sequence[str]) -> int:
    """The size in bytes that the type of an instruction has, the first of two."""
    sizes = [int(found[1]) // 8 for one in modifiers if one[0] in "bsuf" and (found := _WIDTH.search(one))]
    return sizes[0] if sizes else 0


def as_bytes(value: Value | None, width: int) -> tuple[Byte | None, ...]:
    """The lowest bytes of a value."""
    if value is None or isinstance(value, (int, Address)):
        return (ZERO if value == 0 else None,) * width
    return (*value, *(None,) * width)[:width]


def joined(values: Sequence[Value | None], width: int) -> Value | None:
    """One value, or several as the parts of one."""
    if len(values) == 1:
        return values[0]
    return tuple(byte for value in values for byte in as_bytes(value, width // len(values)))


def computed(name: str, width: int, values: Sequence[Value | None]) -> Value | None:
    """Return the result of an operation on values; `None` if it is not known."""
    match name, values:
        case "add", (Address() as at, int() as more):
            return at._replace(offset=at.offset + more)
        case "add", (int() as one, int() as other):
            return one + other
        case "or", (Address() as at, int() as bits) if not at.offset & bits:
            # As clang before 22 adds to an aligned address.
            return at._replace(offset=at.offset | bits)
        case "and", (Address() as at, int() as mask):
            return at._replace(offset=at.offset & mask)
        case "and", (tuple() as one, int() as mask) if not isinstance(one, Address):
            return tuple(kept(one, mask))
        case "cvt", (int() as one,):
            return one
        case "cvt", (tuple() as one,) if not isinstance(one, Address):
            return (*one, *(ZERO,) * width)[:width]
        case "shl", (tuple() as one, int() as bits) if not isinstance(one, Address) and bits % 8 == 0:
            return (*(ZERO,) * (bits // 8), *one)[:width]
        case "shr", (tuple() as one, int() as bits) if not isinstance(one, Address) and bits % 8 == 0:
            return (*one[bits // 8 :], *(ZERO,) * (bits // 8))
        case "or", (tuple() as one, tuple() as other) if not isinstance(one, Address):
            return tuple(merged(one, other))
        case _:
            return None


def merged(one: Sequence[Byte | None], other: Sequence[Byte | None]) -> Iterator[Byte | None]:
    """The bytes of two values, of which one has zeros where the other has something, as behind its end."""
    for left, right in zip_longest(one, other, fillvalue=ZERO):
        yield right if left == ZERO else left if right == ZERO else None


def kept(one: Sequence[Byte | None], mask: int) -> Iterator[Byte | None]:
    """The bytes of a value under a mask that keeps or clears each of them."""
    for number, byte in enumerate(one):
        bits = mask >> 8 * number & 0xFF
        yield byte if bits == 0xFF else ZERO if not bits else None

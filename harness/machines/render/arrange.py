"""Where the values of one call lie in the runtime's buffers."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import BitInt, Enum, Kind, Param, Prototype, Record, Scalar, Type, strip

WIDENED = 8
"""Bytes to which C widens a narrow integer, so that what stands above it shows."""
ALIGNMENT = 16
SPARE = 2
"""Each value has room to be so many times larger to a compiler that lays it out otherwise."""
LIVE = (
    *(Param(f"word{index}", Scalar(Kind.LONG)) for index in range(13)),
    *(Param(f"real{index}", Scalar(Kind.DOUBLE)) for index in range(9)),
    *(Param(f"single{index}", Scalar(Kind.FLOAT)) for index in range(4)),
)
"""What a caller keeps over a call: more words and reals than any ABI has callee-saved registers for."""


class Slot(msgspec.Struct, frozen=True):
    """Bytes of a value in both buffers: `offset` and `size`; `narrow` is the own size of a widened integer, else 0."""

    offset: int
    size: int
    narrow: int


class Arrangement(msgspec.Struct, frozen=True):
    """The slots of the result, of each argument and of each value kept over the call, and the bytes that all take.

    `objects` are the records that a caller passes from objects of its own, by the numbers of the arguments: what each object
    holds after the call is stored in the slot.
    """

    result: Slot | None
    params: tuple[Slot, ...]
    size: int
    live: tuple[Slot, ...] = ()
    objects: tuple[tuple[int, Slot], ...] = ()


def arrange(types: TypeTable, prototype: Prototype, *, live: bool = False) -> Arrangement:
    """Lay the values of a call out in the buffers, the result first; `live` asks for values kept over the call."""
    slots = []
    end = 0
    for c_type in (prototype.result, *(argument.type for argument in prototype.arguments)):
        if c_type is None:
            continue
        extent = types.extent(c_type)
        narrow = extent.size if is_narrow_integer(c_type, extent.size) else 0
        start = round_up(end, max(ALIGNMENT, extent.align))
        slots.append(Slot(start, WIDENED if narrow else extent.size, narrow))
        end = start + SPARE * slots[-1].size
    result = slots.pop(0) if prototype.result is not None else None
    objects = []
    for number, (argument, slot) in enumerate(zip(prototype.arguments, slots, strict=True)):
        if is_copied(argument.type, slot.size):
            start = round_up(end, max(ALIGNMENT, types.extent(argument.type).align))
            objects.append((number, Slot(start, slot.size, 0)))
            end = start + SPARE * slot.size
    kept = _live(types, round_up(end, WIDENED)) if live else ()
    size = kept[-1].offset + WIDENED if kept else end
    return Arrangement(result, tuple(slots), size, kept, tuple(objects))


REGISTER_SIZES = frozenset({0, 1, 2, 4, 8})
"""The sizes in bytes of records of which no ABI passes a copy in memory by its address."""


def is_copied(c_type: Type, size: int) -> bool:
    """Whether some ABI passes a value of this type as the address of a copy, which its caller makes."""
    return isinstance(strip(c_type), Record) and size not in REGISTER_SIZES


def _live(types: TypeTable, start: int) -> tuple[Slot, ...]:
    return tuple(
        Slot(start + WIDENED * index, types.extent(item.type).size, 0) for index, item in enumerate(LIVE)
    )


def is_narrow_integer(c_type: Type, size: int) -> bool:
    """Whether C widens a value of this type when it is assigned to a `long long`."""
    match strip(c_type):
        case Scalar(kind):
            return kind.is_integer and size < WIDENED
        case Enum():
            return size < WIDENED
        case BitInt():
            return size <= WIDENED
        case _:
            return False

"""Positions of the values of one call in the runtime's buffers."""

from __future__ import annotations

from enum import Enum as PyEnum
from itertools import count

import msgspec

from abiprobe.harness.machines.render.reads import RESULT, Form, Read, conversions, parts
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Enum,
    Kind,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    strip,
)
from abiprobe.oracles.language.question import probe

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
"""The values that a caller keeps over a call: more words and reals than any ABI has callee-saved registers for."""


class Manner(PyEnum):
    """A manner of calling a prototype beside the plain way, as programs call functions; each question has one.

    Each question has one manner.
    """

    PLAIN = "plain"
    """one caller, which stores the result, and one callee, which stores its parameters"""
    KEEPING = "keeping"
    """the caller keeps values of its own over the call, more than there are registers for"""
    TWICE = "twice"
    """the caller calls twice in a row with the same values, which it keeps, and of the second result it uses a part"""
    CONVERTED = "converted"
    """the callee also reads its parameters and unnamed arguments, and members of them, through conversions"""
    FORWARDED = "forwarded"
    """the callee forwards its parameters to another function and returns its result; what is seen is what that one finds"""
    TURNED = "turned"
    """the same, the parameters in the opposite order"""


MANNERS = {
    "0": Manner.KEEPING,
    "1": Manner.TWICE,
    "2": Manner.CONVERTED,
    "3": Manner.FORWARDED,
    "4": Manner.TURNED,
}
"""The manners by the last digit of a question's id: they are shared out over the questions, for each costs compilers time."""


def manner_of(probe: str) -> Manner:
    """The manner in which the question with this id is asked."""
    return MANNERS.get(probe[-1:], Manner.PLAIN)


def turned(prototype: Prototype) -> Prototype:
    """The function that a callee in the manner `TURNED` forwards its parameters to."""
    return msgspec.structs.replace(prototype, params=prototype.params[::-1])


def in_manner(prototype: Prototype, manner: Manner) -> Prototype:
    """The same prototype under the first name by which it is asked in a manner."""
    names = (f"f{number or ''}" for number in count())
    asked = (msgspec.structs.replace(prototype, name=name) for name in names)
    return next(one for one in asked if manner_of(probe(one).id) is manner)


class Arrangement(msgspec.Struct, frozen=True):
    """The slots of the result, of each argument and of each value kept over the call, and the bytes that all take.

    `objects` are the records that a caller passes from objects of its own, by the numbers of the arguments: what each object
    holds after the call is stored in the slot. `reads` are the parts and conversions that are stored as well. In `counted` the
    destructors of C++ count the objects that go.
    """

    result: Slot | None
    params: tuple[Slot, ...]
    size: int
    live: tuple[Slot, ...] = ()
    objects: tuple[tuple[int, Slot], ...] = ()
    manner: Manner = Manner.PLAIN
    reads: tuple[Read, ...] = ()
    counted: Slot | None = None

    @property
    def calls(self) -> int:
        """The number of calls that the caller makes."""
        return 2 if self.manner is Manner.TWICE else 1

    @property
    def stored_besides(self) -> bool:
        """Return whether the caller stores more than the result."""
        read = any(read.value == RESULT for read in self.reads)
        return bool(self.live or self.objects or read or self.counted)


def arrange(types: TypeTable, prototype: Prototype, manner: Manner = Manner.PLAIN) -> Arrangement:
    """Lay the values of a call that is asked in a manner out in the buffers, the result first."""
    slots = []
    end = 0
    for c_type in (prototype.result, *(argument.type for argument in prototype.arguments)):
        if c_type is None:
            continue
        extent = types.extent(c_type)
        narrow = extent.size if is_narrow_integer(c_type, extent.size) else 0
        start = round_up(end, max(ALIGNMENT, extent.align))
        slots.append(Slot(start, WIDENED if narrow else extent.size, narrow))
        # What has no bytes in the model may have some in a compiler.
        end = start + SPARE * max(slots[-1].size, 1)
    result = slots.pop(0) if prototype.result is not None else None
    objects = []
    mmx = passes_mmx(prototype)
    for number, (argument, slot) in enumerate(zip(prototype.arguments, slots, strict=True)):
        if is_copied(argument.type, slot.size) and not mmx:
            start = round_up(end, max(ALIGNMENT, types.extent(argument.type).align))
            objects.append((number, Slot(start, slot.size, 0)))
            end = start + SPARE * slot.size
    kept = _live(types, round_up(end, WIDENED)) if manner is Manner.KEEPING else ()
    end = kept[-1].offset + WIDENED if kept else end
    reads = []
    for read in _reads(types, prototype, manner):
        start = round_up(end, max(ALIGNMENT, types.extent(read.type).align))
        reads.append(msgspec.structs.replace(read, slot=Slot(start, read.slot.size, 0)))
        end = start + SPARE * read.slot.size
    return Arrangement(result, tuple(slots), end, kept, tuple(objects), manner, tuple(reads))


def _reads(types: TypeTable, prototype: Prototype, manner: Manner) -> tuple[Read, ...]:
    """Return the reads of a part or through a conversion, in slots that have a size and no place yet."""
    found, mmx = _wanted(types, prototype, manner), passes_mmx(prototype)
    return tuple(read for read in found if not (mmx and read.form is Form.REAL))


def passes_mmx(prototype: Prototype) -> bool:
    """Return whether a call may pass an MMX register, on i386: then there are no x87 registers until the program gives them back.

    Compilers convert in these, and copy records through them.
    """
    bare = (strip(argument.type) for argument in prototype.arguments)
    return any(isinstance(c_type, Vector) and c_type.size == WIDENED for c_type in bare)


def _wanted(types: TypeTable, prototype: Prototype, manner: Manner) -> tuple[Read, ...]:
    if manner is Manner.TWICE and prototype.result is not None:
        # To have the last member one must know where all of the result is.
        return tuple(parts(types, RESULT, prototype.result))[-1:]
    if manner is Manner.CONVERTED:
        return tuple(
            read
            for number, argument in enumerate(prototype.arguments)
            for read in conversions(types, number, argument.type)
        )
    return ()


REGISTER_SIZES = frozenset({0, 1, 2, 4, 8})
"""The sizes in bytes of records of which no ABI passes a copy in memory by its address."""


def is_copied(c_type: Type, size: int) -> bool:
    """Return whether some ABI passes a value of this type as the address of a copy, which its caller makes."""
    return isinstance(strip(c_type), Record) and size not in REGISTER_SIZES


def _live(types: TypeTable, start: int) -> tuple[Slot, ...]:
    return tuple(
        Slot(start + WIDENED * index, types.extent(item.type).size, 0) for index, item in enumerate(LIVE)
    )


def is_narrow_integer(c_type: Type, size: int) -> bool:
    """Return whether C widens a value of this type when it is assigned to a `long long`."""
    match strip(c_type):
        case Scalar(kind):
            return kind.is_integer and size < WIDENED
        case Enum():
            return size < WIDENED
        case BitInt():
            return size <= WIDENED
        case _:
            return False

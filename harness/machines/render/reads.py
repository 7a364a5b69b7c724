"""Uses of a value in programs: a part of it is used, or it is converted to a wider type.

A compiler that trusts the padding of a `_BitInt`, the bits above a narrow value or the form of a real in its register copies a
value as it is all the same. Only what C computes from it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum as PyEnum
from itertools import islice

import msgspec

from abiprobe.harness.machines.render.slots import Slot
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Enum, FixedPoint, Kind, Record, Scalar, Type, unnamed

RESULT = -1
"""Stands for the number of a value that is the result."""
WORD = 8
"""Bytes of `long long` and of `double`."""
MOST = 4
"""Conversions of one value."""


class Form(PyEnum):
    """The type as which C stores what it reads."""

    OWN = "own"
    """as it is"""
    INTEGER = "long long"
    """an integer, an enumeration or a bit-field of at most 64 bits, widened"""
    WIDE = "_BitInt"
    """a wider `_BitInt`, widened to the next multiple of 64 bits"""
    REAL = "double"
    """a `float`, converted"""


class Read(msgspec.Struct, frozen=True):
    """A part of a value, or all of it, that C reads and stores in a slot as `form` says.

    `value` is the number of the argument, or `RESULT`; `path` leads to the member and is empty for the whole value. The part
    starts at bit `at` of the value and has `width` bits, of which `significant` carry the value. `clause` says what its bits are.
    """

    value: int
    path: str
    type: Type
    at: int
    width: int
    significant: int
    signed: bool
    form: Form
    slot: Slot
    clause: str


class NamedMember(msgspec.Struct, frozen=True):
    """A member that C can name without an index: its path, its type, the bit at which it starts and its width in bits."""

    path: str
    type: Type
    at: int
    width: int
    bit_field: bool = False


def parts(types: TypeTable, value: int, c_type: Type) -> Iterator[Read]:
    """The members of a record, each of which may be all that a program uses; of anything else itself, widened or as it is."""
    for part in named(types, c_type):
        read = converted(types, value, part) or whole(types, value, part)
        if read is not None:
            yield read


def conversions(types: TypeTable, value: int, c_type: Type) -> Iterator[Read]:
    """The first few conversions of a value and of its members; whole integers are widened anyway."""
    found = (converted(types, value, part) for part in named(types, c_type))
    yield from islice((read for read in found if read is not None and _is_news(read)), MOST)


def _is_news(read: Read) -> bool:
    """Return whether a conversion adds bits, and is not asked for otherwise: whole integers are stored widened anyway."""
    return read.form is Form.REAL or (
        read.significant < 8 * read.slot.size and (bool(read.path) or read.form is Form.WIDE)
    )


def named(types: TypeTable, c_type: Type, path: str = "", at: int = 0) -> Iterator[NamedMember]:
    """Yield the members of a value, down to those that have none; members of unions, which share their bytes, are left out.

    Members of unions, which share their bytes, are left out.
    """
    bare = unnamed(c_type)
    if not isinstance(bare, Record):
        yield NamedMember(path, bare, at, 8 * types.extent(c_type).size)
        return
    for item in types.shape(bare).fields if not bare.union else ():
        inner = ".".join(part for part in (path, item.member.name) if part)
        if item.is_bit_field:
            if item.member.name and item.bit_width:
                yield NamedMember(
                    inner, unnamed(item.type), at + item.bit_offset, item.bit_width, bit_field=True
                )
        elif item.member.name or isinstance(item.type, Record):
            yield from named(types, item.type, inner, at + item.bit_offset)


def converted(types: TypeTable, value: int, part: NamedMember) -> Read | None:
    """A part read through a conversion to a wider type, if that takes no library."""
    significant, form, size = part.width, Form.INTEGER, WORD
    match part.type:
        case Scalar(Kind.FLOAT):
            form = Form.REAL
        case Scalar(kind) if kind.is_integer and part.width <= 8 * WORD:
            pass
        case Enum() if part.width <= 8 * WORD:
            pass
        case BitInt(width):
            significant = part.width if part.bit_field else width
            size = round_up(significant, 64) // 8
            form = Form.INTEGER if size == WORD else Form.WIDE
            if form is Form.WIDE and not _has(types, BitInt(8 * size)):
                return None
        case _:
            return None
    return Read(
        value,
        part.path,
        part.type,
        part.at,
        part.width,
        significant,
        types.is_signed(part.type),
        form,
        Slot(0, size, 0),
        types.extent(part.type).clause,
    )


def whole(types: TypeTable, value: int, part: NamedMember) -> Read | None:
    """A real, a wide integer or a fixed-point number stored as it is."""
    size = part.width // 8
    if part.bit_field or not isinstance(part.type, (FixedPoint, Scalar)):
        return None
    own = types.data.significant.get(part.type.kind, size) if isinstance(part.type, Scalar) else size
    significant = 8 * own
    slot, clause = Slot(0, size, 0), types.extent(part.type).clause
    return Read(
        value,
        part.path,
        part.type,
        part.at,
        part.width,
        significant,
        signed=False,
        form=Form.OWN,
        slot=slot,
        clause=clause,
    )


def _has(types: TypeTable, c_type: Type) -> bool:
    try:
        types.extent(c_type)
    except (AbsentError, SilentError):
        return False
    return True

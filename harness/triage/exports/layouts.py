"""A layout as tests ask for it: numbers, and bytes with one bit-field set."""

from __future__ import annotations

import msgspec

from abiprobe.harness.triage.exports.program import array
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Kind, Member, Record, Scalar, Type, strip
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import ByteOrder, Layout, MemberPlace


class Offset(msgspec.Struct, frozen=True):
    """A member with an address, and its offset in bytes."""

    path: str
    byte: int


class BitField(msgspec.Struct, frozen=True):
    """A bit-field of the outer record, or of one in it.

    `value` sets all bits that its type can hold, which leaves `image` in a record of zeros; `first` is its first bit in
    `byte`, `last` its last one counted from there.
    """

    path: str
    value: int
    image: str
    byte: int
    first: int
    last: int


class Layouts(msgspec.Struct, frozen=True):
    """Size and alignment in bytes, offsets, and bit-fields."""

    size: int
    align: int
    offsets: tuple[Offset, ...]
    bit_fields: tuple[BitField, ...]


def layouts(target: Target, record: Record) -> Layouts | None:
    """The layout that a model demands; `None` where it demands none."""
    model = target.model()
    found = model.layout(record)
    if not isinstance(found, Layout):
        return None
    first = [place for place in found.members if all(index in {"", "0"} for index in indices(place.path))]
    offsets = tuple(Offset(one.path, one.bit_offset // 8) for one in first if not one.bit_field)
    fields = tuple(bit_field(model.types, record, one, found.size) for one in first if one.bit_field)
    return Layouts(found.size, found.align, offsets, fields)


def indices(path: str) -> list[str]:
    """The indices in a path, `a[0].b[1]`."""
    return [part.partition("]")[0] for part in path.split("[")[1:]]


def bit_field(types: TypeTable, record: Record, place: MemberPlace, size: int) -> BitField:
    """A bit-field of a record of some bytes."""
    is_bool = strip(member_of(record, place.path)) == Scalar(Kind.BOOL)
    order = types.data.order
    bits = {place.bit_offset + bit for bit in range(place.bit_width)}
    if is_bool:
        bits = {max(bits) if order == "big" else min(bits)}
    byte, first = divmod(place.bit_offset, 8)
    return BitField(
        place.path,
        1 if is_bool else -1,
        array(image(bits, size, order)),
        byte,
        first,
        first + place.bit_width - 1,
    )


def image(bits: set[int], size: int, order: ByteOrder) -> bytes:
    """Zeros with some bits set; they count from the most significant one on big-endian machines."""
    found = bytearray(size)
    for bit in bits:
        found[bit // 8] |= 1 << (7 - bit % 8 if order == "big" else bit % 8)
    return bytes(found)


def member_of(record: Record, path: str) -> Type:
    """The type of the member at the end of a path."""
    here: Type = record
    for step in path.replace("[", ".[").split("."):
        here = strip(here)
        if step.startswith("["):
            assert isinstance(here, Array), "an index goes into an array"
            here = here.element
        else:
            assert isinstance(here, Record), "a path goes through records and arrays only"
            here = next(one.type for one in members(here) if one.name == step)
    return here


def members(record: Record) -> list[Member]:
    """The members that a record's own names reach, those of anonymous records among them."""
    found = []
    for one in record.members:
        inner = strip(one.type)
        found += members(inner) if not one.name and isinstance(inner, Record) else [one]
    return found

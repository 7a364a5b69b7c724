"""The fundamental types that a type is composed of, each where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from abiprobe.oracles.engine.policies import Sort
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Atomic, Record, Type


class Leaf(msgspec.Struct, frozen=True):
    """A part of a value that cannot be opened any further, at a bit offset from the start of the value.

    It is a scalar, a complex number, a vector, a bit-field (of any width, named or not: `bit_field`), or what has
    nothing inside: a record without members, an array without elements. A compiler may not open what is atomic, either.
    `in_union` is said of bit-fields.
    """

    type: Type
    bit_offset: int
    bit_field: Field | None = None
    in_union: bool = False
    in_bytes: bool = True
    """of a zero-width bit-field, whether its record has any bytes"""


def is_bitless(types: TypeTable, leaf: Leaf) -> bool:
    """Return whether a leaf is a zero-width bit-field, and none that a compiler takes for a member."""
    if leaf.bit_field is None or leaf.bit_field.bit_width:
        return False
    return (Sort.UNION if leaf.in_union else Sort.STRUCT) not in types.policies.zero_width_is_a_member


def leaves(
    types: TypeTable, c_type: Type, at: int = 0, *, elements: int | None = None, closes_padding: bool = False
) -> Iterator[Leaf]:
    """The leaves of a type that starts at bit `at`, members of unions one after the other; raises as `TypeTable` does.

    Of an array no more than the first `elements` are opened, and with `closes_padding` no record inside of which nothing
    carries a value. Types are without typedef names and `_Atomic`.
    """
    within = partial(inner_leaves, types, elements=elements, closes_padding=closes_padding)
    match types.plain(c_type):
        case Record(members=members) as record if members:
            for item in types.shape(record).fields:
                start = at + item.bit_offset
                if item.is_bit_field:
                    in_bytes = item.bit_width > 0 or types.extent(record).size > 0
                    yield Leaf(types.plain(item.type), start, item, record.union, in_bytes)
                else:
                    yield from within(item.type, start)
        case Array(element=element, length=length) if length:
            stride = types.extent(element).size * 8
            # Elements without bytes all lie at the same place.
            most = 1 if not stride else length if elements is None else elements
            for index in range(min(length, most)):
                yield from within(element, at + index * stride)
        case plain:
            yield Leaf(plain, at)


def inner_leaves(
    types: TypeTable, c_type: Type, at: int, *, elements: int | None, closes_padding: bool
) -> Iterator[Leaf]:
    """The leaves of a member or of an element, which a compiler may not open."""
    plain = types.plain(c_type)
    if types.is_opaque(c_type):
        yield Leaf(Atomic(plain), at)
    elif closes_padding and isinstance(plain, Record) and not types.carries(plain):
        yield Leaf(plain, at)
    else:
        yield from leaves(types, c_type, at, elements=elements, closes_padding=closes_padding)


def has_padded_part(types: TypeTable, c_type: Type, elements: int) -> bool:
    """Return whether a record inside of a type has bytes that are in no leaf; an empty record does not count.

    Of an array no more than the first `elements` are opened. The type is without typedef names and `_Atomic`.
    """
    return any(
        is_padded(types, inner, elements) or has_padded_part(types, inner, elements)
        for inner in inner_records(types, c_type)
    )


def inner_records(types: TypeTable, c_type: Type) -> Iterator[Record]:
    """The records that are members of a record, or elements of its members."""
    if isinstance(c_type, Record):
        for item in types.shape(c_type).fields:
            inner = types.plain(item.type)
            while isinstance(inner, Array):
                inner = types.plain(inner.element)
            if isinstance(inner, Record):
                yield inner


def is_padded(types: TypeTable, record: Record, elements: int) -> bool:
    """Return whether a record that is not empty has bytes that are in no leaf."""
    taken: set[int] = set()
    for leaf in leaves(types, record, elements=elements):
        if leaf.bit_field is None:
            start = leaf.bit_offset // 8
            taken.update(range(start, start + types.extent(leaf.type).size))
    return bool(taken) and len(taken) < types.extent(record).size

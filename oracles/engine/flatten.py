"""A record with its hierarchy flattened: the fields that a calling convention counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import msgspec

from abiprobe.oracles.engine.policies import CallHabit, Unflattened
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Complex,
    Record,
    Scalar,
    Type,
    innermost,
    strip,
)


class FlatField(msgspec.Struct, frozen=True):
    """A field that is no record and no array: its type, and its place in bits from the start of the value."""

    type: Type
    bit_offset: int
    bit_width: int
    is_bit_field: bool


class Bitless(Enum):
    """A field without any bits."""

    BIT_FIELD = "zero-width bit-field"
    """a bit-field of width zero"""
    ARRAY = "zero-length array"
    """an array without elements"""
    RECORD = "empty record"
    """a record, or an array of records, of size zero"""


@dataclass
class Flat:
    """The result of flattening a type.

    `nested` says that a record or array had to be opened, `ignored` which fields without any bits were left out,
    `unnamed` that padding was met that somebody declared (an unnamed bit-field of non-zero width), `union` that a
    union with members was, `blocked` a member past which a compiler cannot flatten, `empty_union` one without members.
    `zero_width_first` says that a zero-width bit-field came before the second field of its record.
    """

    fields: list[FlatField] = field(default_factory=list)
    nested: bool = False
    ignored: set[Bitless] = field(default_factory=set)
    unnamed: bool = False
    union: bool = False
    blocked: bool = False
    empty_union: bool = False
    zero_width_first: bool = False

    @property
    def count(self) -> int:
        """The number of fields, where a complex number is two."""
        return sum(2 if isinstance(one.type, Complex) else 1 for one in self.fields)


def flatten(types: TypeTable, c_type: Type, limit: int) -> Flat:
    """Flatten `c_type`, and stop once more than `limit` fields are found."""
    flat = Flat()
    _visit(types, strip(c_type), 0, limit, flat)
    return flat


def _visit(types: TypeTable, c_type: Type, at: int, limit: int, flat: Flat) -> None:
    if len(flat.fields) > limit:
        return
    size = types.extent(c_type).size
    match c_type:
        case Record() | Array() if not size and is_blocked(types, c_type):
            flat.blocked = True
        case Record() | Array() if not size:
            flat.empty_union |= any(empty_unions(c_type))
            flat.ignored.add(Bitless.ARRAY if has_no_element(c_type) else Bitless.RECORD)
        case Record() if is_empty_class(c_type):
            flat.ignored.add(Bitless.RECORD)
        case Array() if is_empty_class(innermost(c_type)):
            flat.blocked = True
        case Record() if types.reading is None and not types.carries(c_type):
            flat.unnamed = True
        case Record() if types.reading is Reading.CLANG and not types.carries(c_type):
            flat.ignored.add(Bitless.RECORD)
        case Record(union=True):
            flat.union = True
        case Record() if CallHabit.PARTS_IN_INTEGERS in types.policies.calls and types.is_addressable(c_type):
            flat.blocked = True
        case Record():
            zero_width = False
            for item in types.shape(c_type).fields:
                _visit_field(types, item, at, limit, flat)
                zero_width |= is_zero_width(item)
                flat.zero_width_first |= zero_width and flat.count > 1 and not is_zero_width(item)
        case Array(element=element, length=length):
            flat.nested = True
            stride = types.extent(element).size * 8
            # One element more than the limit is enough to know that there are too many.
            for index in range(min(length or 0, limit + 1)):
                _visit(types, opened(types, element), at + index * stride, limit, flat)
        case Complex(kind) if kind.is_integer and not types.policies.splits_complex_integers:
            for part in (0, 1):
                width = size * 4
                flat.fields.append(FlatField(Scalar(kind), at + part * width, width, is_bit_field=False))
        case _:
            flat.fields.append(FlatField(c_type, at, size * 8, is_bit_field=False))


def is_empty_class(c_type: Type) -> bool:
    """Return whether a type, which has a size, stands for an empty class of C++."""
    return isinstance(c_type, Record) and not c_type.members


def is_zero_width(item: Field) -> bool:
    """Return whether a field is a bit-field of width zero."""
    return item.is_bit_field and not item.bit_width


def empty_unions(c_type: Type) -> Iterator[bool]:
    """Of each record in a type, return whether it is a union."""
    match strip(c_type):
        case Array(element=element):
            yield from empty_unions(element)
        case Record(union=union, members=members):
            yield union
            for member in members:
                yield from empty_unions(member.type)


def opened(types: TypeTable, c_type: Type) -> Type:
    """The type under typedef names and `_Atomic`, as far as a compiler looks into what is atomic."""
    return Atomic(strip(c_type)) if types.is_opaque(c_type) else strip(c_type)


def is_blocked(types: TypeTable, c_type: Type) -> bool:
    """Return whether a compiler cannot flatten past a record or an array without bytes."""
    unflattened = types.policies.unflattened
    match strip(c_type):
        case Array(length=None):
            return Unflattened.FLEXIBLE_ARRAY in unflattened
        case Array(length=0):
            return Unflattened.ZERO_LENGTH_ARRAY in unflattened
        case Array(element=element):
            return Unflattened.EMPTY_ELEMENTS in unflattened or is_blocked(types, element)
        case Record(members=members):
            return any(is_blocked(types, member.type) for member in members if member.width is None)
        case _:
            return False


def has_no_element(c_type: Type) -> bool:
    """Return whether a type is an array with a dimension of zero, or a flexible one."""
    return isinstance(c_type, Array) and (not c_type.length or has_no_element(strip(c_type.element)))


def _visit_field(types: TypeTable, item: Field, at: int, limit: int, flat: Flat) -> None:
    inner = opened(types, item.type)
    if not item.is_bit_field:
        flat.nested |= isinstance(inner, Record)
        _visit(types, inner, at + item.bit_offset, limit, flat)
    elif not item.bit_width:
        flat.ignored.add(Bitless.BIT_FIELD)
    elif item.is_unnamed_bit_field and types.reading is None:
        flat.unnamed = True
    else:
        flat.fields.append(FlatField(inner, at + item.bit_offset, item.bit_width, is_bit_field=True))

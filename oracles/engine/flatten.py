"""A record with its hierarchy flattened: the fields that a calling convention counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import msgspec

from abiprobe.oracles.engine.policies import Empty
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Atomic, Complex, Record, Type, strip


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
    union with members was. `empties` are the fields without bytes by what they are, and `zero_width_first` says that a
    zero-width bit-field came before the second field of its record.
    """

    fields: list[FlatField] = field(default_factory=list)
    nested: bool = False
    ignored: set[Bitless] = field(default_factory=set)
    unnamed: bool = False
    union: bool = False
    empties: set[Empty] = field(default_factory=set)
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
        case Record() | Array() if not size:
            flat.empties |= set(empties(types, c_type))
            flat.ignored.add(Bitless.ARRAY if has_no_element(c_type) else Bitless.RECORD)
        case Record() if not types.carries(c_type):
            flat.unnamed = True
        case Record(union=True):
            flat.union = True
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
        case _:
            flat.fields.append(FlatField(c_type, at, size * 8, is_bit_field=False))


def is_zero_width(item: Field) -> bool:
    """Return whether a field is a bit-field of width zero."""
    return item.is_bit_field and not item.bit_width


def empties(types: TypeTable, c_type: Type) -> Iterator[Empty]:
    """What there is in a type without bytes."""
    match strip(c_type):
        case Array(element=element, length=length):
            if length == 0:
                yield Empty.ARRAY
            elif length:
                yield Empty.ELEMENTS
            yield from empties(types, element)
        case Record(union=union, members=members):
            if union:
                yield Empty.UNION
            for member in members:
                yield from empties(types, member.type)


def opened(types: TypeTable, c_type: Type) -> Type:
    """The type under typedef names and `_Atomic`, as far as a compiler looks into what is atomic."""
    return Atomic(strip(c_type)) if types.is_opaque(c_type) else strip(c_type)


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
    elif item.is_unnamed_bit_field:
        flat.unnamed = True
    else:
        flat.fields.append(FlatField(inner, at + item.bit_offset, item.bit_width, is_bit_field=True))

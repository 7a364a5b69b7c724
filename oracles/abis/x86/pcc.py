"""Classes as pcc finds them: by where members begin, in the records that they are in."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.x86.classes import Class
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Kind, Record, Scalar, Type

LONG_DOUBLES = {Scalar(Kind.LDOUBLE), Complex(Kind.LDOUBLE)}


def classes_by_beginning(types: TypeTable, aggregate: Type) -> tuple[Class, ...]:
    """A class for each eightbyte of a record: that of what begins in it, or else that of the first."""
    count = -(-types.extent(aggregate).size // 8)
    begun = list(beginnings(types, aggregate))
    if count > 2 or any(own is Class.MEMORY for _, own in begun):
        return (Class.MEMORY,) * count
    first = merged(own for at, own in begun if at < 64)
    second = merged(own for at, own in begun if at >= 64)
    if first is Class.NO_CLASS:
        return (Class.INTEGER,) * count
    return (first,) if count < 2 else (first, first if second is Class.NO_CLASS else second)


def merged(classes: Iterator[Class]) -> Class:
    """The class of an eightbyte: the last of those up to the first INTEGER."""
    found = Class.NO_CLASS
    for own in classes:
        if found is not Class.INTEGER:
            found = own
    return found


def beginnings(types: TypeTable, c_type: Type) -> Iterator[tuple[int, Class]]:
    """Yield the beginnings of the members of a record, in bits of the innermost record that they are in, with their classes."""
    record = types.plain(c_type)
    if not isinstance(record, Record):
        return
    if record.packed:
        yield 0, Class.MEMORY
        return
    if record.union:
        yield from beginnings_of_union(types, record)
        return
    for item in types.shape(record).fields:
        inner = element(types, item.type)
        if isinstance(inner, Record):
            yield from beginnings(types, inner)
        elif not item.is_unnamed_bit_field:
            yield item.bit_offset, class_of_scalar(inner)


def beginnings_of_union(types: TypeTable, union: Record) -> Iterator[tuple[int, Class]]:
    """Yield the beginnings in the records in a union, and then the class of the union itself, in which a record behind a real has none."""
    found = Class.NO_CLASS
    for item in types.shape(union).fields:
        inner = element(types, item.type)
        own = Class.NO_CLASS if isinstance(inner, Record) else class_of_scalar(inner)
        if isinstance(inner, Record):
            yield from beginnings(types, inner)
        found = found if found is Class.INTEGER else own
    yield 0, found


def element(types: TypeTable, c_type: Type) -> Type:
    """The innermost elements of an array."""
    inner = types.plain(c_type)
    return element(types, inner.element) if isinstance(inner, Array) else inner


def class_of_scalar(c_type: Type) -> Class:
    """The class of what is no record and no array."""
    if c_type in LONG_DOUBLES:
        return Class.MEMORY
    real = isinstance(c_type, (Scalar, Complex)) and c_type.kind.is_floating
    return Class.SSE if real else Class.INTEGER


def is_pair_of_long_doubles(types: TypeTable, c_type: Type) -> bool:
    """Return whether a record has two `long double` and nothing else."""
    record = types.plain(c_type)
    if not isinstance(record, Record) or record.packed:
        return False
    return [types.plain(member.type) for member in record.members] == [Scalar(Kind.LDOUBLE)] * 2

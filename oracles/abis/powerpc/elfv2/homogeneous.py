"""Homogeneous aggregates: composites of floating-point or vector members of one type (2.2.3 Parameter Passing in Registers)."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.abis.powerpc.elfv2.data import QUADWORD, VECTOR_SIZE
from abiprobe.oracles.abis.powerpc.elfv2.sheet import cite, implements
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Array, Complex, Kind, Record, Scalar, Type, Vector, spelling

FLOAT = cite("homogeneous.float")
VECTOR = cite("homogeneous.vector")
LIKE = cite("homogeneous.like")
UNION = cite("homogeneous.union")
NO_ELEMENT = cite("homogeneous.no-element")
UNNAMED = cite("homogeneous.unnamed")

MOST_REGISTERS = 8


class Base(Enum):
    """What the members of a homogeneous aggregate are; the value is the size in bytes of one."""

    FLOAT = (4, "float")
    DOUBLE = (8, "double")
    EXTENDED = (16, "IBM extended precision")
    VECTOR = (16, "vector or IEEE quadruple precision")

    @property
    def size(self) -> int:
        """Bytes of a member."""
        return self.value[0]

    @property
    def registers(self) -> int:
        """Registers that a member takes."""
        return 2 if self is Base.EXTENDED else 1


class Homogeneous(msgspec.Struct, frozen=True):
    """Members of one type that follow each other; `clause` is what makes them so beyond their types."""

    base: Base
    count: int
    clause: str

    @property
    def size(self) -> int:
        """Bytes of all members."""
        return self.count * self.base.size


class Mixed(Exception):  # noqa: N818 - an answer that ends the traversal, not a fault
    """What is traversed has a member, or padding, that makes it no homogeneous aggregate."""


def base_of(types: TypeTable, c_type: Type) -> Base | None:
    """The base type that a scalar or vector type counts as, `None` where it is neither real nor a vector."""
    match c_type:
        case Scalar(Kind.FLOAT):
            return Base.FLOAT
        case Scalar(Kind.DOUBLE):
            return Base.DOUBLE
        case Scalar(Kind.LDOUBLE):
            return Base.EXTENDED
        case Scalar(Kind.FLOAT128):
            return Base.VECTOR
        case Vector():
            size = types.extent(c_type).size
            if size != QUADWORD:
                raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
            return Base.VECTOR
        case _:
            return None


def homogeneous(types: TypeTable, record: Record) -> Homogeneous | None:
    """A record as a homogeneous aggregate of at most eight registers, or `None` if it is none.

    Raises `SilentError` where an unnamed bit-field or an array without elements would make the difference.
    """
    whys: set[str] = set()
    try:
        found = traversed(types, record, whys)
    except Mixed:
        return None
    if found is None or found.count * found.base.registers > MOST_REGISTERS:
        return None
    for clause in (UNNAMED, NO_ELEMENT):
        if clause in whys:
            raise SilentError(clause, f"{spelling(record)} would be homogeneous without it")
    return found


@implements("homogeneous.nested", "homogeneous.padding")
def traversed(types: TypeTable, c_type: Type, whys: set[str]) -> Homogeneous | None:
    """The members of a type, through any nesting; `None` where there are none. Raises `Mixed` where they are not of one type."""
    found: Homogeneous | None
    match types.plain(c_type):
        # [elfv2:homogeneous.nested]
        case Record(union=True) as union:
            found = of_union(types, union, whys)
        case Record() as struct:
            found = of_struct(types, struct, whys)
        case Array(element=element, length=length):
            if not length:
                whys.add(NO_ELEMENT)
                return None
            inner = traversed(types, element, whys)
            found = inner and msgspec.structs.replace(inner, count=inner.count * length)
        case Complex(kind):
            found = single(types, Scalar(kind), 2)
        case other:
            found = single(types, other, 1)
    # [elfv2:homogeneous.padding]
    if found is not None and found.size != types.extent(c_type).size:
        raise Mixed
    return found


@implements("homogeneous.float", "homogeneous.vector", "homogeneous.like")
def single(types: TypeTable, c_type: Type, count: int) -> Homogeneous:
    """So many members of a scalar or vector type."""
    base = base_of(types, c_type)
    if base is None:
        raise Mixed
    # [elfv2:homogeneous.like]
    quadruple = isinstance(c_type, Scalar) and base is Base.VECTOR
    # [elfv2:homogeneous.float] [elfv2:homogeneous.vector]
    return Homogeneous(base, count, LIKE if quadruple else VECTOR if base is Base.VECTOR else FLOAT)


def of_struct(types: TypeTable, struct: Record, whys: set[str]) -> Homogeneous | None:
    """The members of a structure, one after the other."""
    found: Homogeneous | None = None
    for item in types.shape(struct).fields:
        inner = of_member(types, item, whys)
        if found is not None and inner is not None:
            found = msgspec.structs.replace(
                found, count=found.count + inner.count, clause=together(found, inner)
            )
        else:
            found = found or inner
    return found


@implements("homogeneous.union")
def of_union(types: TypeTable, union: Record, whys: set[str]) -> Homogeneous | None:
    """A union as its largest member, if its members are homogeneous with each other."""
    found: Homogeneous | None = None
    for item in types.shape(union).fields:
        inner = of_member(types, item, whys)
        if found is not None and inner is not None:
            # [elfv2:homogeneous.union]
            together(found, inner)
            found = msgspec.structs.replace(found, count=max(found.count, inner.count))
        else:
            found = found or inner
    return found and msgspec.structs.replace(found, clause=UNION)


def together(first: Homogeneous, second: Homogeneous) -> str:
    """The clause of two groups of members of one type; raises `Mixed` where they are of two."""
    if first.base is not second.base:
        raise Mixed
    return first.clause if first.clause == second.clause else LIKE


@implements("homogeneous.zero-width", "homogeneous.unnamed")
def of_member(types: TypeTable, item: Field, whys: set[str]) -> Homogeneous | None:
    """The members that one member of a record is, or has; raises `Mixed` for a bit-field."""
    if not item.is_bit_field:
        return traversed(types, item.type, whys)
    # [elfv2:homogeneous.unnamed]
    if item.is_unnamed_bit_field and item.bit_width:
        whys.add(UNNAMED)
        return None
    # [elfv2:homogeneous.zero-width]
    raise Mixed

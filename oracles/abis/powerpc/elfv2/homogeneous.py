"""Homogeneous aggregates: composites of floating-point or vector members of one type (2.2.3 Parameter Passing in Registers)."""

from __future__ import annotations

from enum import Enum

import msgspec

from abiprobe.oracles.abis.powerpc.doublewords import QUADWORD
from abiprobe.oracles.abis.powerpc.elfv2.data import VECTOR_SIZE
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Kind, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
FLOAT = cite("homogeneous.float")
VECTOR = cite("homogeneous.vector")
NESTED = cite("homogeneous.nested")
LIKE = cite("homogeneous.like")
UNION = cite("homogeneous.union")
PADDING = cite("homogeneous.padding")
ZERO_WIDTH = cite("homogeneous.zero-width")
NO_ELEMENT = cite("homogeneous.no-element")
UNNAMED = cite("homogeneous.unnamed")

MOST_REGISTERS = 8


class Base(Enum):
    """The type of the members of a homogeneous aggregate: its size in bytes and its name."""

    FLOAT = (4, "float")
    DOUBLE = (8, "double")
    EXTENDED = (16, "IBM extended precision")
    DECIMAL32 = (4, "_Decimal32")
    DECIMAL64 = (8, "_Decimal64")
    DECIMAL128 = (16, "_Decimal128")
    VECTOR = (16, "vector or IEEE quadruple precision")

    @property
    def size(self) -> int:
        """Bytes of a member."""
        return self.value[0]

    @property
    def registers(self) -> int:
        """Registers that a member takes."""
        return 2 if self in {Base.EXTENDED, Base.DECIMAL128} else 1


BASES = {
    Kind.FLOAT: Base.FLOAT,
    Kind.DOUBLE: Base.DOUBLE,
    Kind.LDOUBLE: Base.EXTENDED,
    Kind.DECIMAL32: Base.DECIMAL32,
    Kind.DECIMAL64: Base.DECIMAL64,
    Kind.DECIMAL128: Base.DECIMAL128,
    Kind.FLOAT128: Base.VECTOR,
}


class Homogeneous(msgspec.Struct, frozen=True):
    """Members of one type that follow each other; `clauses` are what makes them so."""

    base: Base
    count: int
    clauses: frozenset[str]

    @property
    def size(self) -> int:
        """Bytes of all members."""
        return self.count * self.base.size

    @property
    def clause(self) -> str:
        """The clause that decides beyond the types of the members; empty if none does."""
        return next((clause for clause in (UNION, LIKE, NESTED) if clause in self.clauses), min(self.clauses))

    @property
    def is_plain(self) -> bool:
        """Return whether the types of the members alone decide."""
        return self.clause in {FLOAT, VECTOR}


class Composition(msgspec.Struct):
    """The obstacles that a traversal found: those that make an aggregate not homogeneous, and those that leave it open.

    `mixed` says that there is a member of another type.
    """

    spoilt: set[str] = msgspec.field(default_factory=set)
    unsaid: set[str] = msgspec.field(default_factory=set)
    mixed: bool = False


def base_of(types: TypeTable, c_type: Type) -> Base | None:
    """The base type that a scalar or vector type counts as, `None` where it is neither real nor a vector."""
    match c_type:
        case Scalar(kind):
            return BASES.get(kind)
        case Vector():
            size = types.extent(c_type).size
            if size != QUADWORD and types.reading is None:
                raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
            return Base.VECTOR if size == QUADWORD else None
        case _:
            return None


def homogeneous(types: TypeTable, record: Record) -> Homogeneous | str:
    """A record as a homogeneous aggregate of at most eight registers; else the clause without which it would be one, or "".

    Raises `SilentError` where an unnamed bit-field or an array without elements would make the difference.
    """
    beside = Composition()
    found = traversed(types, record, beside)
    if beside.mixed or found is None or found.count * found.base.registers > MOST_REGISTERS:
        return ""
    alone = types.policies.unwraps_zero_width and found.count == 1 and beside.spoilt == {ZERO_WIDTH}
    for clause in (ZERO_WIDTH, PADDING):
        if clause in beside.spoilt and not alone:
            return clause
    for clause in (UNNAMED, NO_ELEMENT):
        if clause in beside.unsaid and types.reading is not None:
            return found if is_single(types, record, found) else clause
        if clause in beside.unsaid:
            raise SilentError(clause, f"{spelling(record)} would be homogeneous without it")
    return found


def is_single(types: TypeTable, record: Record, found: Homogeneous) -> bool:
    """Return whether a record is passed like the one real that fills it, whatever has no bytes or name beside it; gcc's in a union not."""
    fills = found.count == 1 and found.base.size == types.extent(record).size
    return fills and not (record.union and types.reading is Reading.GCC)


@implements("homogeneous.nested", "homogeneous.padding")
def traversed(types: TypeTable, c_type: Type, beside: Composition) -> Homogeneous | None:
    """The members of a type, through any nesting; `None` where there are none."""
    found: Homogeneous | None
    if types.is_opaque(c_type):
        beside.mixed = True
        return None
    match types.plain(c_type):
        case Record() as record:
            found = of_record(types, record, beside)
        # [elfv2:homogeneous.nested]
        case Array(element=element, length=length):
            if not length:
                beside.unsaid.add(NO_ELEMENT)
                return None
            inner = nested(traversed(types, element, beside))
            found = inner and msgspec.structs.replace(inner, count=inner.count * length)
        case Complex(kind):
            found = nested(single(types, Scalar(kind), 2, beside))
        case other:
            return single(types, other, 1, beside)
    # [elfv2:homogeneous.padding]
    if found is not None and found.size != types.extent(c_type).size:
        beside.spoilt.add(PADDING)
    return found


def nested(found: Homogeneous | None) -> Homogeneous | None:
    """Members that were found inside another type."""
    return found and msgspec.structs.replace(found, clauses=found.clauses | {NESTED})


@implements("homogeneous.float", "homogeneous.vector", "homogeneous.like")
def single(types: TypeTable, c_type: Type, count: int, beside: Composition) -> Homogeneous | None:
    """Return the homogeneous aggregate of so many members of a scalar or vector type."""
    base = base_of(types, c_type)
    if base is None:
        beside.mixed = True
        return None
    # [elfv2:homogeneous.float]
    if base is not Base.VECTOR:
        return Homogeneous(base, count, frozenset({FLOAT}))
    # [elfv2:homogeneous.vector] [elfv2:homogeneous.like]
    return Homogeneous(base, count, frozenset({LIKE if isinstance(c_type, Scalar) else VECTOR}))


@implements("homogeneous.union")
def of_record(types: TypeTable, record: Record, beside: Composition) -> Homogeneous | None:
    """The members of a structure, one after the other, or of the largest member of a union."""
    found: Homogeneous | None = None
    for item in types.shape(record).fields:
        inner = of_member(types, item, beside)
        if found is None or inner is None:
            found = found or inner
            continue
        beside.mixed |= found.base is not inner.base or is_unlike(types, found, inner)
        # [elfv2:homogeneous.union]
        count = max(found.count, inner.count) if record.union else found.count + inner.count
        found = Homogeneous(found.base, count, found.clauses | inner.clauses)
    if found is not None and record.union:
        return msgspec.structs.replace(found, clauses=found.clauses | {UNION})
    return found


def is_unlike(types: TypeTable, one: Homogeneous, other: Homogeneous) -> bool:
    """Return whether a compiler that tells quadruple precision from vectors has one of each."""
    return types.policies.float128_is_unlike_vectors and (LIKE in one.clauses) != (LIKE in other.clauses)


@implements("homogeneous.zero-width", "homogeneous.unnamed")
def of_member(types: TypeTable, item: Field, beside: Composition) -> Homogeneous | None:
    """The members that one member of a record is, or has."""
    if not item.is_bit_field:
        found = traversed(types, item.type, beside)
        return nested(found) if isinstance(types.plain(item.type), Record) else found
    if item.member.name:
        beside.mixed = True
    # [elfv2:homogeneous.unnamed]
    elif item.bit_width:
        beside.unsaid.add(UNNAMED)
    # [elfv2:homogeneous.zero-width]
    else:
        beside.spoilt.add(ZERO_WIDTH)
    return None

"""Aggregates of one member, which are passed like the real or vector in them (3.2.3 Parameter Passing)."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc.doublewords import QUADWORD
from abiprobe.oracles.abis.powerpc.elfv1.data import OTHER_REAL, OTHER_REALS
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Kind,
    Member,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
REAL = cite("wrapped.real")
VECTOR = cite("wrapped.vector")
NESTED = cite("wrapped.nested")
UNION = cite("wrapped.union")
COMPLEX = cite("wrapped.complex")
PADDED = cite("wrapped.padded")
UNNAMED = cite("wrapped.unnamed")
NOTHING = cite("wrapped.nothing")

REALS = frozenset({Kind.FLOAT, Kind.DOUBLE, Kind.LDOUBLE})


@implements("wrapped.padded")
def unwrapped(types: TypeTable, record: Record) -> tuple[Type, str]:
    """Return the type like which a record is passed, its own or that of its only value, and the clause that decides between the two.

    The clause is empty where nothing would make a difference. Raises `SilentError` where the text leaves it open.
    """
    notes: set[str] = set()
    value = only_value(types, record, notes)
    if value is None:
        return record, ""
    if UNION in notes and not types.policies.unwraps_unions:
        return record, UNION
    if types.reading is not None:
        return as_compiled(types, record, value, notes)
    for clause in (COMPLEX, UNNAMED, NOTHING):
        if clause in notes:
            raise SilentError(clause, f"{spelling(record)} would be passed like its one value without it")
    # [elfv1:wrapped.padded]
    if types.extent(value).size != types.extent(record).size:
        raise SilentError(PADDED, f"{spelling(record)} is larger than its one value")
    if NESTED in notes:
        return value, NESTED
    return value, VECTOR if isinstance(value, Vector) else REAL


def as_compiled(types: TypeTable, record: Record, value: Type, notes: set[str]) -> tuple[Type, str]:
    """Return the type like which compilers pass a record: that of a real or vector which fills it, or its own."""
    is_apart = COMPLEX in notes or types.extent(value).size != types.extent(record).size
    wide = isinstance(value, Vector) and value.size != QUADWORD
    if is_apart or wide:
        return record, ""
    return value, NESTED if NESTED in notes else VECTOR if isinstance(value, Vector) else REAL


@implements("wrapped.real", "wrapped.vector", "wrapped.complex", "wrapped.nested")
def only_value(types: TypeTable, c_type: Type, notes: set[str]) -> Type | None:
    """The one real, vector or complex number in a type, through structures, unions and arrays of one member.

    `notes` gets the clauses that have a say in whether it counts.
    """
    if types.is_opaque(c_type):
        return None
    match types.plain(c_type):
        # [elfv1:wrapped.real]
        case Scalar(kind) as scalar if kind in REALS:
            return scalar
        case Scalar(kind) if kind in OTHER_REALS:
            raise SilentError(OTHER_REAL, kind.value)
        # [elfv1:wrapped.vector]
        case Vector() as vector:
            return vector
        # [elfv1:wrapped.complex]
        case Complex(kind) as number if kind in REALS:
            notes.add(COMPLEX)
            return number
        # [elfv1:wrapped.nested]
        case Array(element=element, length=1):
            notes.add(NESTED)
            return only_value(types, element, notes)
        case Record() as record:
            return only_member(types, record, notes)
        case _:
            return None


@implements("wrapped.union", "wrapped.unnamed", "wrapped.nothing")
def only_member(types: TypeTable, record: Record, notes: set[str]) -> Type | None:
    """The one value of the one member of a record, with whatever bytes it has beside it noted."""
    members = [member for member in record.members if member.width is None or member.name]
    # [elfv1:wrapped.unnamed]
    if len(members) < len(record.members):
        notes.add(UNNAMED)
    sized = [member for member in members if is_counted(types, member)]
    # [elfv1:wrapped.nothing]
    if len(sized) < len(members) and not types.policies.unwraps_unions:
        notes.add(NOTHING)
    if len(sized) != 1 or sized[0].width is not None:
        return None
    # [elfv1:wrapped.union]
    if record.union:
        notes.add(UNION)
    if isinstance(types.plain(sized[0].type), Record):
        notes.add(NESTED)
    return only_value(types, sized[0].type, notes)


def is_counted(types: TypeTable, member: Member) -> bool:
    """Return whether a member has bytes, and to a compiler that does not see what is unnamed, a value."""
    seen = types.carries(member.type) or not types.policies.unwraps_unions
    return seen and bool(types.extent(member.type).size)

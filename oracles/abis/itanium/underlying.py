"""Types of C++ as the base C ABI sees them (sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from abiprobe.oracles.engine.attributes import Extent
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.classes import (
    Class,
    CxxArray,
    CxxType,
    DataMember,
    DataMemberPointer,
    FixedEnum,
    MemberFunctionPointer,
    Reference,
)
from abiprobe.oracles.language.lang import Array, Kind, Member, Pointer, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
SIZE = cite("size")
DATA_POINTER = cite("pointers.data", "oracles.abis.itanium.underlying.c_type_of")
FUNCTION_POINTER = cite("pointers.function", "oracles.abis.itanium.underlying.c_type_of")
REFERENCE = cite("reference", "oracles.abis.itanium.underlying.c_type_of")
CLAUSES = {
    Reference: REFERENCE,
    DataMemberPointer: DATA_POINTER,
    MemberFunctionPointer: FUNCTION_POINTER,
}
BYTE = Member(Scalar(Kind.CHAR), "_")
Measured: TypeAlias = Callable[[Class], tuple[int, int]]
"""Size and alignment of a class in bytes."""


def difference(types: TypeTable) -> Scalar:
    """`ptrdiff_t`: the signed integer as wide as a pointer."""
    wide = types.extent(Pointer()).size
    kinds = (Kind.INT, Kind.LONG, Kind.LLONG)
    return Scalar(next(kind for kind in kinds if types.extent(Scalar(kind)).size == wide))


def c_type_of(c_type: CxxType, types: TypeTable, measured: Measured) -> Type:
    """The type of C that is as large as a type of C++ and aligned as it is."""
    match c_type:
        case Class():
            size, align = measured(c_type)
            return Record(c_type.tag, (Member(Array(Scalar(Kind.CHAR), size), "_"),), align=align)
        case CxxArray(element, length):
            return Array(c_type_of(element, types, measured), length)
        # [cxxabi:reference]
        case Reference():
            return Pointer()
        # [cxxabi:pointers.data]
        case DataMemberPointer():
            return difference(types)
        # [cxxabi:pointers.function]
        case MemberFunctionPointer():
            members = (Member(Pointer(function=True), "ptr"), Member(difference(types), "adj"))
            return Record("", members)
        case FixedEnum(base=base):
            return Scalar(base)
        case _:
            return c_type


def extent_of(c_type: CxxType, types: TypeTable, measured: Measured) -> Extent:
    """Size and alignment in bytes of a type of C++, and the clause that gives them."""
    found = types.extent(c_type_of(c_type, types, measured))
    inner = c_type
    while isinstance(inner, CxxArray):
        inner = inner.element
    if isinstance(inner, Class):
        return msgspec.structs.replace(found, clause=SIZE)
    clause = CLAUSES.get(type(inner))
    return found if clause is None else msgspec.structs.replace(found, clause=clause)


def as_member(member: DataMember, c_type: Type) -> Member:
    """A data member as a member of C that has the type `c_type`."""
    return Member(
        c_type,
        member.name,
        member.width,
        packed=member.packed,
        align=member.align,
        alignas=member.alignas,
    )


@implements("pod.empty")
def as_record(asked: Class, members: tuple[Member, ...]) -> Record:
    """A class as a record of C; one without members has a byte, as the base C ABIs have no rule for it."""
    align = max(asked.alignas or 0, asked.align or 0) or None
    return Record(
        asked.tag, members or (BYTE,), union=asked.union, packed=asked.packed, align=align, pack=asked.pack
    )

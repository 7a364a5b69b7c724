"""The traits of a C++ class: what of the language it has, in it or in a part, that layouts may depend on."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.language.classes import (
    Access,
    Class,
    CxxArray,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    FixedEnum,
    MemberFunctionPointer,
    Reference,
    element,
    parts,
)
from abiprobe.oracles.language.lang import Kind, Scalar


def class_traits(asked: Class) -> frozenset[str]:
    """The traits of a class and of the classes that it is made of."""
    every = parts(asked)
    members = [(one, element(one.type)) for owner in every for one in owner.members]
    return frozenset(
        (
            *(trait for one in every for trait in _of_class(one)),
            *(trait for one, inner in members for trait in _of_member(one, inner)),
        )
    )


def _of_class(one: Class) -> Iterator[str]:
    if not one.members and not one.bases and not one.own_virtual:
        yield "class without members"
    if len(one.bases) > 1:
        yield "several bases"
    if any(base.virtual for base in one.bases):
        yield "virtual base"
    if any(not base.virtual for base in one.bases):
        yield "base"
    if one.own_virtual:
        yield "virtual function"
    if one.union:
        yield "union"
    if one.packed or one.pack is not None:
        yield "packed class"
    if one.alignas is not None or one.align is not None:
        yield "aligned class"
    specials = one.specials
    functions = {*specials.constructors, specials.assign, specials.destructor.declared}
    names = {
        Declared.PROVIDED: "user-provided function",
        Declared.DEFAULTED: "defaulted function",
        Declared.DELETED: "deleted function",
    }
    yield from (name for declared, name in names.items() if declared in functions)


def _of_member(member: DataMember, inner: CxxType) -> Iterator[str]:
    if isinstance(member.type, CxxArray):
        yield "array"
    if member.access is not Access.PUBLIC:
        yield "private member"
    if member.no_unique_address:
        yield "overlapping member"
    if member.alignas is not None or member.align is not None:
        yield "aligned member"
    if member.width is not None:
        yield "bit-field" if member.name else "unnamed bit-field"
        if member.width == 0:
            yield "zero-width bit-field"
        if member.width > least_bits(member):
            yield "oversized bit-field"
    match inner:
        case Reference():
            yield "reference"
        case DataMemberPointer() | MemberFunctionPointer():
            yield "member pointer"
        case FixedEnum():
            yield "enumeration with a base"
        case Class():
            yield "member of class type"
        case _:
            pass


def least_bits(member: DataMember) -> int:
    """The bits that the type of a bit-field has at least on every machine."""
    kind = member.type.base if isinstance(member.type, FixedEnum) else None
    if isinstance(member.type, Scalar):
        kind = member.type.kind
    sizes = {Kind.SHORT: 16, Kind.USHORT: 16, Kind.INT: 32, Kind.UINT: 32, Kind.LLONG: 64, Kind.ULLONG: 64}
    if kind in {Kind.LONG, Kind.ULONG}:
        return 64
    return sizes.get(kind, 8) if kind is not None else 8

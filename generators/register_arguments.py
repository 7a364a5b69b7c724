"""Types that `regparm` is asked with: a prototype of plain types gets those of one rarer feature in the place of some.

They are replaced and not drawn: no decision is made for it, so all other questions of a batch stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from abiprobe.generators.scope import Bounds
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Member,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)

NARROWER: Mapping[Type, Type] = {
    Scalar(Kind.INT128): Scalar(Kind.LLONG),
    Scalar(Kind.UINT128): Scalar(Kind.ULLONG),
}
"""For the types that no compiler for i386 has."""

_MEMBERS = tuple(
    Scalar(kind) for kind in (Kind.INT, Kind.UCHAR, Kind.SHORT, Kind.LLONG, Kind.FLOAT, Kind.DOUBLE)
)

RARER: Mapping[str, Mapping[Type, Type]] = {
    "_BitInt": {
        Scalar(Kind.LONG): BitInt(17),
        Scalar(Kind.ULONG): BitInt(24, signed=False),
        Scalar(Kind.LLONG): BitInt(33),
        Scalar(Kind.ULLONG): BitInt(64, signed=False),
        Scalar(Kind.LDOUBLE): BitInt(96),
        Scalar(Kind.INT128): BitInt(65),
        Scalar(Kind.UINT128): BitInt(128, signed=False),
    },
    "vector": {
        Scalar(Kind.INT): Vector(Kind.SHORT, 4),
        Scalar(Kind.FLOAT): Vector(Kind.FLOAT, 4),
        Scalar(Kind.DOUBLE): Vector(Kind.INT, 8),
        Scalar(Kind.LLONG): Vector(Kind.DOUBLE, 8),
        Scalar(Kind.LDOUBLE): Vector(Kind.FLOAT, 16),
        Scalar(Kind.INT128): Vector(Kind.LLONG, 16),
        Scalar(Kind.UINT128): Vector(Kind.DOUBLE, 16),
        Complex(Kind.LDOUBLE): Vector(Kind.INT, 32),
    },
    "_Float16": {
        Scalar(Kind.SHORT): Scalar(Kind.FLOAT16),
        Scalar(Kind.FLOAT): Scalar(Kind.FLOAT16),
        Complex(Kind.FLOAT): Complex(Kind.FLOAT16),
    },
    "_Atomic": {},
    "_Float128": {
        Scalar(Kind.LDOUBLE): Scalar(Kind.FLOAT128),
        Scalar(Kind.INT128): Scalar(Kind.FLOAT128),
        Complex(Kind.LDOUBLE): Complex(Kind.FLOAT128),
    },
    "__bf16": {Scalar(Kind.SHORT): Scalar(Kind.BF16), Scalar(Kind.FLOAT): Scalar(Kind.BF16)},
}
"""For each feature what stands in the place of what, none of which is larger than that."""

IN_RECORDS: Mapping[str, Mapping[Type, Type]] = {"_Atomic": {one: Atomic(one) for one in _MEMBERS}}
"""The same within records, of what is no argument by itself."""


def with_rarer_types(asked: Prototype, bounds: Bounds) -> Prototype:
    """`asked` with the types of one feature, which the number of arguments and that of `regparm` choose."""
    features = tuple(RARER)
    feature = features[(len(asked.params) + (asked.regparm or 0)) % len(features)]
    allowed = feature not in bounds.exclude
    values = {**NARROWER, **(RARER[feature] if allowed else {})}
    members = {**values, **(IN_RECORDS.get(feature, {}) if allowed else {})}
    return replace(
        asked,
        result=None if asked.result is None else _replaced(asked.result, values, members),
        params=tuple(replace(one, type=_replaced(one.type, values, members)) for one in asked.params),
    )


def _replaced(c_type: Type, values: Mapping[Type, Type], members: Mapping[Type, Type]) -> Type:
    match c_type:
        case Array(element=element):
            return replace(c_type, element=_replaced(element, values, members))
        case Record():
            return replace(c_type, members=tuple(_member(one, members) for one in c_type.members))
        case _:
            return values.get(c_type, c_type)


def _member(member: Member, members: Mapping[Type, Type]) -> Member:
    if member.width is not None:
        return member
    return replace(member, type=_replaced(member.type, members, members))

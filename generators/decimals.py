"""Decimal floating types: some of the questions of plain types have them in the place of binary ones.

They are replaced and not drawn: no decision is made for it, so all other questions of a batch stay as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from msgspec.structs import replace

from abiprobe.generators.scope import COMMON, Bounds
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Array, Kind, Member, Record, Scalar, Type
from abiprobe.oracles.question import Question, encode

DECIMALS: Mapping[Type, Type] = {
    Scalar(Kind.FLOAT): Scalar(Kind.DECIMAL32),
    Scalar(Kind.DOUBLE): Scalar(Kind.DECIMAL64),
    Scalar(Kind.LDOUBLE): Scalar(Kind.DECIMAL128),
}
FEATURE = "_Decimal"
EVERY = 48
"""One of so many questions of plain types has decimal ones, if it has any real."""


def with_decimals(asked: Question, bounds: Bounds) -> Question:
    """`asked`, or the same with decimal types where it is one of those that have them."""
    if FEATURE in bounds.exclude or zlib.crc32(encode(asked)) % EVERY or not features(asked) <= COMMON:
        return asked
    if isinstance(asked, Record):
        return _record(asked)
    return replace(
        asked,
        result=None if asked.result is None else _decimal(asked.result),
        params=tuple(replace(one, type=_decimal(one.type)) for one in asked.params),
        unnamed=tuple(map(_decimal, asked.unnamed)),
    )


def _record(record: Record) -> Record:
    return replace(record, members=tuple(map(_member, record.members)))


def _member(member: Member) -> Member:
    return replace(member, type=_decimal(member.type))


def _decimal(c_type: Type) -> Type:
    match c_type:
        case Array(element=element):
            return replace(c_type, element=_decimal(element))
        case Record():
            return _record(c_type)
        case _:
            return DECIMALS.get(c_type, c_type)

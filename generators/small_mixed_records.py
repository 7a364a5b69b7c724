"""Small records that decide how they are passed by few members of unlike kinds, which independent draws hardly bring together.

One of so many prototypes of plain types has such a record in the place of one of its values. It is put there and not drawn, so
all other questions of a batch stay as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from abiprobe.generators.scope import COMMON, Bounds
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    declared,
)
from abiprobe.oracles.language.question import encode

T = TypeVar("T")
EVERY = 12
"""One of so many prototypes of plain types has such a record."""
FLOAT, DOUBLE, INT, CHAR, LLONG = map(Scalar, (Kind.FLOAT, Kind.DOUBLE, Kind.INT, Kind.CHAR, Kind.LLONG))
REALS = (FLOAT, DOUBLE)
WIDTHS = (1, 3, 8, 11, 16, 17, 24, 31, 32)
BIT_INTS = (7, 12, 24, 31, 33, 63, 65, 100)


class MixedRecord(Enum):
    """A kind of small record that rarely appears if every member is drawn independently."""

    REAL_AND_BIT_FIELD = "one real beside one bit-field"
    PACKED_REAL_AND_BIT_FIELD = "one real beside one bit-field, packed"
    BIT_INT_AND_REAL = "a `_BitInt` beside a real"
    UNION_OF_KINDS = "a union of a real and an integer"
    NO_BYTES = "a record of size 0"
    TWO_RARE_FEATURES = "two rare features in one record"


class Chance:
    """Decisions that follow from a question and from nothing else."""

    def __init__(self, number: int) -> None:
        self._left = number

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`."""
        self._left, found = divmod(self._left, len(options))
        return options[found]


Maker: TypeAlias = Callable[[Chance], Record]


def with_small_mixed_record(asked: Prototype, bounds: Bounds) -> Prototype:
    """`asked`, or the same with a small mixed record as one of its values, for one prototype in `EVERY`."""
    number = zlib.crc32(b"starved" + encode(asked))
    if number % EVERY or not features(asked) <= COMMON:
        return asked
    chance = Chance(number // EVERY)
    made = replace(MAKERS[chance.pick(tuple(MixedRecord))](chance), tag=fresh_tag(asked))
    if features(made) & bounds.exclude or len(made.members) > bounds.members:
        return asked
    return placed(asked, made, chance)


def fresh_tag(asked: Prototype) -> str:
    """A tag that nothing in the question has."""
    used = tuple(one.type for one in asked.arguments) + (() if asked.result is None else (asked.result,))
    tags = {one.tag for one in declared(used) if isinstance(one, Record)}
    return next(tag for tag in (f"S{number}" for number in range(len(tags) + 1)) if tag not in tags)


def placed(asked: Prototype, made: Record, chance: Chance) -> Prototype:
    """The prototype with a record for its result, one of its parameters or an unnamed argument."""
    where = chance.pick((RESULT, PARAMETER, UNNAMED))
    if where == RESULT or not asked.params:
        return replace(asked, result=made)
    if where == UNNAMED and (asked.unnamed or len(asked.params) > 1):
        if asked.unnamed:
            return replace(asked, unnamed=(*asked.unnamed[:-1], made))
        # What is behind the last named parameter keeps its place among the arguments.
        return replace(asked, params=asked.params[:-1], variadic=True, unnamed=(made,))
    at = chance.pick(range(len(asked.params)))
    param = Param(asked.params[at].name, made)
    return replace(asked, params=(*asked.params[:at], param, *asked.params[at + 1 :]))


RESULT, PARAMETER, UNNAMED = range(3)


def struct(*types: Type | Member, **asked: bool | int) -> Record:
    """A struct of members of these types, called `a`, `b` and so on."""
    members = (one if isinstance(one, Member) else Member(one) for one in types)
    named = (
        one if one.width == 0 else replace(one, name=name)
        for one, name in zip(members, "abcdeg", strict=False)
    )
    return replace(Record("", tuple(named)), **asked)


def real_and_bit_field(chance: Chance) -> Record:
    """A real and a bit-field, in either order."""
    field = Member(chance.pick((INT, Scalar(Kind.UINT), LLONG)), width=chance.pick(WIDTHS))
    both: tuple[Type | Member, ...] = (chance.pick(REALS), field)
    return struct(*chance.pick((both, both[::-1])))


def packed_real_and_bit_field(chance: Chance) -> Record:
    """The same without padding."""
    return replace(real_and_bit_field(chance), packed=True)


def bit_int_and_real(chance: Chance) -> Record:
    """A `_BitInt`, which may be a bit-field, and a real, in either order."""
    width = chance.pick(BIT_INTS)
    signed = chance.pick((True, False))
    both: tuple[Type, ...] = (chance.pick(REALS), BitInt(width, signed))
    return struct(*chance.pick((both, both[::-1])))


def union_of_kinds(chance: Chance) -> Record:
    """A union whose members are passed by unlike rules, each alone."""
    reals: tuple[Type, ...] = (
        *REALS,
        Scalar(Kind.LDOUBLE),
        Array(FLOAT, 2),
        Array(FLOAT, 4),
        Complex(Kind.FLOAT),
    )
    integers: tuple[Type, ...] = (
        CHAR,
        INT,
        LLONG,
        Array(CHAR, 3),
        Array(LLONG, 2),
        Scalar(Kind.INT128),
    )
    both = (chance.pick(reals), chance.pick(integers))
    return struct(*chance.pick((both, both[::-1])), union=True)


def no_bytes(chance: Chance) -> Record:
    """Return a record of no bytes, alone or within another."""
    hollow = Array(chance.pick((INT, DOUBLE, CHAR)), 0)
    return chance.pick(
        (
            struct(),
            struct(union=True),
            struct(hollow),
            struct(hollow, union=True),
            struct(Member(INT, width=0)),
            struct(Array(replace(struct(), tag="Empty"), 3)),
        )
    )


def two_rare_features(chance: Chance) -> Record:
    """Two features that draws leave to one question each."""
    tight = BitInt(chance.pick(BIT_INTS[:6]))
    vector = Vector(chance.pick((Kind.FLOAT, Kind.INT)), chance.pick((8, 16)))
    half = Scalar(chance.pick((Kind.FLOAT16, Kind.BF16)))
    field = Member(INT, width=chance.pick(WIDTHS))
    return chance.pick(
        (
            struct(tight, CHAR, packed=True),
            struct(tight, vector),
            struct(tight, half),
            struct(half, half, align=16),
            struct(half, field, packed=True),
            struct(Complex(Kind.FLOAT), CHAR, packed=True),
            struct(Complex(Kind.FLOAT), field),
            struct(Atomic(FLOAT), tight),
            struct(Atomic(INT), field, Member(FLOAT, packed=True)),
            struct(vector, Array(CHAR, None)),
            struct(half, Array(half, None)),
            struct(Member(FLOAT, align=16), tight),
            struct(Scalar(Kind.LDOUBLE), CHAR, packed=True),
            struct(Scalar(Kind.FLOAT128), field),
            struct(FLOAT, Member(CHAR, width=0), tight),
            struct(CHAR, tight, pack=2),
        )
    )


MAKERS: Mapping[MixedRecord, Maker] = {
    MixedRecord.REAL_AND_BIT_FIELD: real_and_bit_field,
    MixedRecord.PACKED_REAL_AND_BIT_FIELD: packed_real_and_bit_field,
    MixedRecord.BIT_INT_AND_REAL: bit_int_and_real,
    MixedRecord.UNION_OF_KINDS: union_of_kinds,
    MixedRecord.NO_BYTES: no_bytes,
    MixedRecord.TWO_RARE_FEATURES: two_rare_features,
}

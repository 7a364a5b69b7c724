"""The default argument promotions, as a table."""

from __future__ import annotations

import pytest
from hypothesis import given

from abiprobe.generators.prototypes import prototypes
from abiprobe.oracles.language.lang import (
    Atomic,
    BitInt,
    Enum,
    Enumerator,
    Kind,
    Member,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
)
from abiprobe.oracles.language.promotion import promoted

INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)
SMALL = Enum("E", (Enumerator("A", 0), Enumerator("B", 255)), packed=True)
LARGE = Enum("E", (Enumerator("A", 1 << 31),))
RECORD = Record("S", (Member(Scalar(Kind.CHAR), "a"),))

TABLE: list[tuple[Type, Type]] = [
    *(
        (Scalar(kind), INT)
        for kind in (Kind.BOOL, Kind.CHAR, Kind.SCHAR, Kind.UCHAR, Kind.SHORT, Kind.USHORT)
    ),
    (INT, INT),
    *((Scalar(kind), Scalar(kind)) for kind in (Kind.UINT, Kind.LONG, Kind.LLONG, Kind.INT128, Kind.LDOUBLE)),
    (Scalar(Kind.FLOAT), DOUBLE),
    (DOUBLE, DOUBLE),
    (Scalar(Kind.FLOAT16), Scalar(Kind.FLOAT16)),
    (BitInt(7), BitInt(7)),
    (SMALL, INT),
    (LARGE, LARGE),
    (Atomic(Scalar(Kind.SHORT)), INT),
    (Atomic(Scalar(Kind.LONG)), Scalar(Kind.LONG)),
    (Typedef("T", Scalar(Kind.LLONG), 16), Scalar(Kind.LLONG)),
    (Typedef("T", RECORD, 16), RECORD),
    (Pointer(), Pointer()),
    (RECORD, RECORD),
]


@pytest.mark.parametrize(("c_type", "expected"), TABLE, ids=[str(row[0])[:40] for row in TABLE])
def test_promotion(c_type: Type, expected: Type) -> None:
    assert promoted(c_type) == expected


@given(prototypes())
def test_what_is_promoted_stays(prototype: Prototype) -> None:
    for argument in prototype.arguments:
        assert promoted(promoted(argument.type)) == promoted(argument.type)
    assert tuple(map(promoted, prototype.unnamed)) == prototype.unnamed

"""`regparm` is asked with every type that i386 has, and no other question changes for it."""

from __future__ import annotations

import hashlib

import pytest

from abiprobe.generators.extent import extent
from abiprobe.generators.pool import draw_pool
from abiprobe.generators.register_arguments import IN_RECORDS, NARROWER, RARER, with_rarer_types
from abiprobe.generators.scope import FEATURES, Bounds
from abiprobe.oracles.language.features import features, type_features
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.language.question import encode

INT, LONG, LLONG, FLOAT = map(Scalar, (Kind.INT, Kind.LONG, Kind.LLONG, Kind.FLOAT))


def test_all_other_questions_are_as_they_were_when_plain_types_alone_were_drawn() -> None:
    pool = draw_pool(seed=7, cases=2000, features=FEATURES - {"_Decimal", "fixed point", "SVE vector"})
    others = [one for one in pool.prototypes if one.regparm is None]
    assert hashlib.sha256(b"".join(map(encode, others))).hexdigest()[:16] == "42e6cbad328d240c"


def test_each_rarer_feature_comes_with_each_number_and_no_type_that_i386_lacks() -> None:
    pool = draw_pool(seed=7, cases=5000)
    drawn = [(one.regparm, features(one)) for one in pool.prototypes if one.regparm is not None]
    assert {name for _, names in drawn for name in names} >= set(RARER)
    assert {number for number, names in drawn if names & set(RARER)} == {1, 2, 3}
    assert not any("__int128" in names for _, names in drawn)


@pytest.mark.parametrize("feature", RARER)
def test_what_stands_in_needs_that_feature_and_no_more_room(feature: str) -> None:
    for old, new in (*RARER[feature].items(), *IN_RECORDS.get(feature, {}).items()):
        assert feature in type_features(new)
        assert extent(new)[0] <= extent(old)[0]


def asked(*types: Type, exclude: frozenset[str] = frozenset()) -> Prototype:
    """A prototype whose number of arguments chooses the feature at its place in `RARER`."""
    params = tuple(Param(f"p{index}", one) for index, one in enumerate(types))
    return with_rarer_types(Prototype("f", types[0], params, regparm=3), Bounds(exclude=exclude))


def feature_of(count: int) -> str:
    return tuple(RARER)[(count + 3) % len(RARER)]


def test_arguments_results_members_and_elements_are_replaced_and_bit_fields_are_not() -> None:
    assert feature_of(3) == "_BitInt"
    fields = Record("S", (Member(LLONG, "a"), Member(LLONG, "b", width=3), Member(Array(LONG, 2), "c")))
    made = asked(LLONG, fields, FLOAT)
    record = Record(
        "S", (Member(BitInt(33), "a"), Member(LLONG, "b", width=3), Member(Array(BitInt(17), 2), "c"))
    )
    assert made.result == BitInt(33)
    assert [one.type for one in made.params] == [BitInt(33), record, FLOAT]


def test_an_argument_is_no_atomic_and_a_member_is() -> None:
    assert feature_of(6) == "_Atomic"
    made = asked(*(INT,) * 5, Record("S", (Member(INT, "a"),)))
    assert made.params[0].type == INT
    assert made.params[5].type == Record("S", (Member(Atomic(INT), "a"),))


def test_an_excluded_feature_is_left_out_and_a_wide_integer_narrowed_all_the_same() -> None:
    assert feature_of(4) == "vector"
    types = (Scalar(Kind.INT128), INT, FLOAT, LLONG)
    assert isinstance(asked(*types).params[0].type, Vector)
    plain = asked(*types, exclude=frozenset({"vector"}))
    assert [one.type for one in plain.params] == [NARROWER[types[0]], INT, FLOAT, LLONG]

"""Pools: the same from the same seed everywhere, distinct, and with something of everything."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from abiprobe.generators import dialects
from abiprobe.generators.pool import BATCH, POOL_SORTS, Pool, PoolSort, batches, draw, draw_pool
from abiprobe.generators.rare import PARTS
from abiprobe.generators.scope import COMMON, EXTENSIONS, FEATURES
from abiprobe.oracles.language.features import CONVENTIONS, FOLLOWING, features
from abiprobe.oracles.language.lang import (
    UNSIGNED,
    Array,
    BitInt,
    Complex,
    Enum,
    Kind,
    Pointer,
    Position,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    components,
)
from abiprobe.oracles.language.question import Question, Sort, encode

DIGEST = """
import hashlib
from abiprobe.generators import dialects
from abiprobe.generators.pool import draw_pool
from abiprobe.oracles.language.question import encode
pool = draw_pool(seed=7, cases=300)
print(hashlib.sha256(b"".join(map(encode, pool.records + pool.prototypes))).hexdigest())
"""


def digest(questions: tuple[Question, ...]) -> str:
    return hashlib.sha256(b"".join(map(encode, questions))).hexdigest()


def everything_in(c_type: Type) -> list[Type]:
    return [c_type, *(inner for part in components(c_type) for inner in everything_in(part))]


NOT_DRAWN = {"scalable vector", "SVE vector", "SVE vector of fixed length", "flexible array alone"}
"""Types of a target of their own, and records that only newer compilers take: `check` asks about them."""


@pytest.fixture(scope="module")
def pool() -> Pool:
    return draw_pool(seed=7, cases=2000)


@pytest.fixture(scope="module")
def found(pool: Pool) -> set[Type]:
    results = [function.result for function in pool.prototypes if function.result is not None]
    params = [param.type for function in pool.prototypes for param in function.params]
    return {inner for c_type in (*pool.records, *results, *params) for inner in everything_in(c_type)}


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_another_process_with_another_hash_seed_draws_the_same(hash_seed: str) -> None:
    pool = draw_pool(seed=7, cases=300)
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    other = subprocess.run(
        [sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == digest(pool.records + pool.prototypes)


def test_a_seed_means_the_same_on_every_python() -> None:
    # A change of the grammar changes this digest, and with it what every seed of an earlier version meant.
    pool = draw_pool(seed=7, cases=300)
    assert digest(pool.records + pool.prototypes)[:16] == "da01c8cbc57c0692"


def test_another_seed_draws_others() -> None:
    assert not set(draw_pool(seed=1, cases=20).prototypes) & set(draw_pool(seed=2, cases=20).prototypes)


@pytest.mark.parametrize("cases", [0, 1, BATCH + 1])
def test_a_pool_has_as_many_distinct_questions_as_asked(cases: int) -> None:
    pool = draw_pool(seed=3, cases=cases)
    assert len(set(pool.prototypes)) == len(pool.prototypes) == cases
    assert len(set(pool.records)) == len(pool.records) == cases


def test_a_larger_pool_begins_with_the_smaller_one() -> None:
    small, large = draw_pool(seed=3, cases=40), draw_pool(seed=3, cases=400)
    assert large.records[:40] == small.records
    assert large.prototypes[:40] == small.prototypes


@pytest.mark.parametrize("kind", POOL_SORTS)
def test_any_stretch_is_part_of_the_same_sequence(kind: PoolSort) -> None:
    whole = draw(seed=5, kind=kind, start=0, count=3 * BATCH)
    assert draw(seed=5, kind=kind, start=2 * BATCH, count=BATCH) == whole[2 * BATCH :]
    assert draw(seed=5, kind=kind, start=BATCH - 3, count=7) == whole[BATCH - 3 : BATCH + 4]
    assert draw(seed=5, kind=kind, start=9, count=0) == ()


@pytest.mark.parametrize("kind", POOL_SORTS)
def test_no_question_occurs_twice_in_a_batch(kind: PoolSort) -> None:
    assert len(set(draw(seed=5, kind=kind, start=0, count=BATCH))) == BATCH


@settings(
    max_examples=5,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(batches(kind=Sort.PROTOTYPES, size=50, exclude=frozenset({"_Complex"})))
def test_a_batch_is_one_example(batch: tuple[Question, ...]) -> None:
    assert len(set(batch)) == 50
    assert all(isinstance(question, Prototype) for question in batch)
    assert max(len(question.params) for question in batch if isinstance(question, Prototype)) > 8


def test_only_the_features_that_a_subject_has_are_drawn() -> None:
    pool = draw_pool(seed=7, cases=500, features=frozenset({"long double", "_BitInt"}))
    found = {inner for record in pool.records for inner in everything_in(record)}
    assert Scalar(Kind.LDOUBLE) in found
    assert not any(isinstance(c_type, Complex) for c_type in found)
    assert not found & {Scalar(Kind.INT128), Scalar(Kind.UINT128)}


def test_every_kind_occurs(found: set[Type]) -> None:
    assert {c_type.kind for c_type in found if isinstance(c_type, Scalar)} == set(Kind) - {Kind.FP16}
    assert {c_type.kind for c_type in found if isinstance(c_type, Complex) and not c_type.is_integer} == {
        Kind.FLOAT16,
        Kind.FLOAT,
        Kind.DOUBLE,
        Kind.LDOUBLE,
        Kind.FLOAT128,
    }
    assert {c_type.function for c_type in found if isinstance(c_type, Pointer)} == {False, True}
    assert {c_type.kind for c_type in found if isinstance(c_type, Complex) and c_type.is_integer} == set(
        PARTS
    )
    signed = {c_type.enumerators[0].value < 0 for c_type in found if isinstance(c_type, Enum)}
    assert signed == {False, True}


def test_every_feature_occurs(pool: Pool) -> None:
    of_records = FEATURES - CONVENTIONS - NOT_DRAWN
    assert frozenset().union(*map(features, pool.records)) - FOLLOWING == of_records
    never_passed = (dialects.RECORDS[-1] | CONVENTIONS) - frozenset().union(*dialects.PROTOTYPES)
    assert frozenset().union(*map(features, pool.prototypes)) >= FEATURES - never_passed


def test_records_use_extensions_and_prototypes_seldom_do(pool: Pool) -> None:
    rare = EXTENSIONS - COMMON
    assert 0.3 < share(pool.records, rare) < 0.5
    assert 0.1 < share(pool.prototypes, rare) < 0.3
    assert max(len(features(function) & rare) for function in pool.prototypes) <= 2


def test_what_leaves_a_call_without_an_answer_stands_beside_plain_types_only() -> None:
    pool = draw_pool(seed=7, cases=4000)
    opened = [one for one in pool.prototypes if "complex integer" in features(one)]
    assert len(opened) > 20
    assert {name for one in opened for name in features(one)} == {"complex integer"}
    assert not any(
        member.width is not None for one in opened for record in records_in(one) for member in record.members
    )


def records_in(function: Prototype) -> list[Record]:
    types = [*(param.type for param in function.arguments), *filter(None, [function.result])]
    return [inner for one in types for inner in everything_in(one) if isinstance(inner, Record)]


def share(questions: tuple[Question, ...], names: frozenset[str]) -> float:
    return sum(not features(question).isdisjoint(names) for question in questions) / len(questions)


def test_attributes_are_written_in_every_position(found: set[Type]) -> None:
    members = [member for c_type in found if isinstance(c_type, Record) for member in c_type.members]
    assert {member.position for member in members} == set(Position)
    assert any(member.position is not Position.AFTER and member.width is not None for member in members)


def test_alignments_are_raised_and_lowered(found: set[Type]) -> None:
    records = [c_type for c_type in found if isinstance(c_type, Record)]
    on_members = {member.align for record in records for member in record.members}
    on_typedefs = {c_type.align for c_type in found if isinstance(c_type, Typedef)}
    on_records = {record.align for record in records}
    assert on_members == on_records == on_typedefs | {None} == {None, 1, 2, 4, 8, 16, 32, 64}
    assert {record.pack for record in records} == {None, 1, 2, 4, 8, 16}


def test_bit_fields_have_unusual_types(found: set[Type]) -> None:
    fields = [
        member
        for c_type in found
        if isinstance(c_type, Record)
        for member in c_type.members
        if member.width is not None
    ]
    assert {Scalar, Enum, BitInt, Typedef} == {type(field.type) for field in fields}
    assert any(isinstance(field.type, Enum) and field.type.packed for field in fields)
    assert any(field.width and field.width > 64 for field in fields)


def test_every_sort_of_member_occurs(found: set[Type]) -> None:
    records = [c_type for c_type in found if isinstance(c_type, Record)]
    members = [member for record in records for member in record.members]
    fields = [member for member in members if member.width is not None]
    assert {(bool(field.name), field.width == 0) for field in fields} == {
        (True, False),
        (False, False),
        (False, True),
    }
    bases = {field.type.kind for field in fields if isinstance(field.type, Scalar)}
    assert {Kind.BOOL, Kind.CHAR, Kind.SHORT, Kind.INT, Kind.LONG, Kind.LLONG} <= bases
    assert bases & UNSIGNED
    assert any(isinstance(field.type, Enum) for field in fields)
    assert any(member.width is None and not member.name for member in members)
    assert {record.union for record in records if not record.members} == {False, True}
    arrays = [c_type for c_type in found if isinstance(c_type, Array)]
    assert any(array.length == 0 for array in arrays)
    assert any(isinstance(array.element, Array) for array in arrays)
    assert any(isinstance(array.element, Record) for array in arrays)


def test_records_nest_and_vary_in_size(pool: Pool) -> None:
    def depth(c_type: Type) -> int:
        return isinstance(c_type, Record) + max(map(depth, components(c_type)), default=0)

    assert {depth(record) for record in pool.records} == {1, 2, 3, 4}
    assert set(range(13)) - {9, 11} <= {len(record.members) for record in pool.records}


def word_like(c_type: Type) -> bool:
    return isinstance(c_type, (Pointer, Enum)) or (isinstance(c_type, Scalar) and c_type.kind.is_integer)


def test_prototypes_exhaust_the_registers(pool: Pool) -> None:
    functions = pool.prototypes
    words = [sum(word_like(param.type) for param in function.params) for function in functions]
    reals = [
        sum(isinstance(param.type, Scalar) and param.type.kind.is_floating for param in function.params)
        for function in functions
    ]
    assert sum(count > 8 for count in words) >= len(functions) // 10
    assert sum(count > 8 for count in reals) >= len(functions) // 40
    assert sum(w >= 6 and r >= 8 for w, r in zip(words, reals, strict=True)) >= len(functions) // 100
    assert max(len(function.params) for function in functions) == 20
    assert any(not function.params for function in functions)


def test_results_travel_in_every_way(pool: Pool) -> None:
    results = [function.result for function in pool.prototypes]
    assert results.count(None) >= len(results) // 20
    assert sum(isinstance(result, Record) for result in results) >= len(results) // 4
    assert sum(isinstance(result, (Scalar, Complex, Pointer)) for result in results) >= len(results) // 10


def test_a_prototype_may_use_a_record_twice(pool: Pool) -> None:
    def repeats(function: Prototype) -> bool:
        records = [param.type for param in function.params if isinstance(param.type, Record)]
        return len(set(records)) < len(records)

    assert sum(map(repeats, pool.prototypes)) >= len(pool.prototypes) // 50

"""Types of SVE in the place of others: in some prototypes of plain types, and only where they are allowed."""

from __future__ import annotations

from abiprobe.generators.extent import extent
from abiprobe.generators.pool import draw_pool
from abiprobe.generators.scope import COMMON, FEATURES
from abiprobe.generators.sve import FEATURE, FIXED
from abiprobe.oracles.language.features import features, type_features
from abiprobe.oracles.language.lang import (
    SVE_ELEMENTS,
    Array,
    Prototype,
    Record,
    SvePredicate,
    SveVector,
    Type,
)
from abiprobe.oracles.registry import find_model

SVE = (SveVector, SvePredicate)


def drawn(allowed: frozenset[str]) -> list[Prototype]:
    return list(draw_pool(seed=5, cases=2000, features=allowed).prototypes)


def values(function: Prototype) -> tuple[Type, ...]:
    return (
        *(() if function.result is None else (function.result,)),
        *(one.type for one in function.arguments),
    )


def test_a_part_of_the_plain_prototypes_has_types_of_sve() -> None:
    found = [function for function in drawn(COMMON | {FEATURE}) if FEATURE in features(function)]
    assert 20 < len(found) < 120
    asked = {c_type for function in found for c_type in values(function) if isinstance(c_type, SVE)}
    assert SvePredicate() in asked
    assert {one.fields for one in asked if isinstance(one, SveVector)} == {1, 2, 3, 4}
    assert any(isinstance(one, SVE) for function in found for one in function.unnamed)
    assert any(isinstance(function.result, SVE) for function in found)


def test_where_their_length_may_be_said_records_have_them() -> None:
    found = {c_type for function in drawn(COMMON | {FEATURE, FIXED}) for c_type in values(function)}
    records = [one for one in found if isinstance(one, Record) and FIXED in type_features(one)]
    assert len(records) > 20
    assert any(one.union for one in records)
    kinds = {type(member.type) for one in records for member in one.members}
    assert kinds >= {SveVector, SvePredicate, Array}
    assert not any(FIXED in features(function) for function in drawn(COMMON | {FEATURE}))


def test_without_them_the_other_questions_are_the_same() -> None:
    plain, others = drawn(FEATURES - {FEATURE}), drawn(FEATURES)
    news = [function for function in others if function not in set(plain)]
    # Where two become the same one, a batch has another instead.
    assert sum(FEATURE not in features(function) for function in news) < 20
    assert len(news) < 120


def test_their_size_is_that_of_the_registers_where_they_are_asked() -> None:
    types = find_model("aarch64_sve-aapcs64").types
    for c_type in (SveVector(one, fields) for one in SVE_ELEMENTS for fields in (1, 4)):
        found = types.extent(c_type)
        assert extent(c_type) == (found.size, found.align)
    found = types.extent(SvePredicate())
    assert extent(SvePredicate()) == (found.size, found.align)

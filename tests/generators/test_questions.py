"""Laws that every drawn question keeps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abiprobe.generators.arrays import can_repeat
from abiprobe.generators.attributes import least_alignas
from abiprobe.generators.bitfields import narrowest, widest
from abiprobe.generators.extent import extent
from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.scope import EXTENSIONS, FEATURES, Bounds
from abiprobe.generators.types import LARGE_ROOM, records, types
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Enum,
    Kind,
    Member,
    Pointer,
    Position,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
    declared,
)
from abiprobe.oracles.language.question import Question, decode, encode

roomy = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
questions = st.one_of(records(), prototypes())
exclusions = st.sets(st.sampled_from(sorted(FEATURES))).map(frozenset)


def types_of(question: Question) -> tuple[Type, ...]:
    if isinstance(question, Record):
        return (question,)
    result = () if question.result is None else (question.result,)
    return result + tuple(param.type for param in question.params)


def everything_in(question: Question) -> Iterator[Type]:
    stack = list(types_of(question))
    while stack:
        c_type = stack.pop()
        yield c_type
        stack.extend(components(c_type))


def members_in(question: Question) -> Iterator[Member]:
    seen = {c_type for c_type in everything_in(question) if isinstance(c_type, Record)}
    return (member for record in seen for member in record.members)


def depth(c_type: Type) -> int:
    return isinstance(c_type, Record) + max(map(depth, components(c_type)), default=0)


@roomy
@given(questions)
def test_names_are_unique_throughout_a_question(question: Question) -> None:
    names = [member.name for member in members_in(question) if member.name]
    if isinstance(question, Prototype):
        names += [question.name, *(param.name for param in question.params)]
    assert len(names) == len(set(names))


@roomy
@given(questions)
def test_a_tag_and_an_enumerator_stand_for_one_thing(question: Question) -> None:
    named = [item.name for item in declared(types_of(question)) if isinstance(item, Typedef)]
    assert len(set(named)) == len(named)
    tagged = [item for item in declared(types_of(question)) if isinstance(item, (Record, Enum)) and item.tag]
    assert len({item.tag for item in tagged}) == len(tagged)
    enumerators = [
        constant.name for item in tagged if isinstance(item, Enum) for constant in item.enumerators
    ]
    assert len(set(enumerators)) == len(enumerators)


@roomy
@given(questions)
def test_only_anonymous_members_have_no_tag(question: Question) -> None:
    anonymous = [member.type for member in members_in(question) if not member.name and member.width is None]
    assert all(isinstance(c_type, Record) and not c_type.tag for c_type in anonymous)
    named = [member.type for member in members_in(question) if member.name]
    assert all(c_type.tag for c_type in (*named, *types_of(question)) if isinstance(c_type, Record))


@roomy
@given(questions)
def test_bit_fields_have_widths_that_every_target_accepts(question: Question) -> None:
    for member in members_in(question):
        if member.width == 0:
            assert not member.name
        elif member.width is not None:
            assert narrowest(member.type) <= member.width <= widest(member.type)


@roomy
@given(questions)
def test_parameters_and_results_are_never_arrays(question: Question) -> None:
    assert not any(isinstance(c_type, Array) for c_type in types_of(question))


@roomy
@given(questions)
def test_only_the_last_of_several_members_is_an_array_without_a_length(question: Question) -> None:
    for c_type in everything_in(question):
        if isinstance(c_type, Array) and c_type.length is not None:
            assert c_type.length >= 0
            assert not (isinstance(c_type.element, Array) and c_type.element.length is None)
        if isinstance(c_type, Record) and (bare := [*map(is_flexible, c_type.members)]).count(True):
            assert bare.count(True) == 1
            assert bare[-1]
            assert not c_type.union
            assert any(member.name for member in c_type.members[:-1])


def is_flexible(member: Member) -> bool:
    return isinstance(member.type, Array) and member.type.length is None


@roomy
@given(questions)
def test_elements_of_arrays_leave_no_gaps(question: Question) -> None:
    assert all(can_repeat(c_type.element) for c_type in everything_in(question) if isinstance(c_type, Array))


def test_nothing_that_is_atomic_is_no_element_of_an_array() -> None:
    nothing = Record("s", (Member(Scalar(Kind.INT), "", 0),))
    assert not can_repeat(Atomic(nothing))
    assert can_repeat(Atomic(Record("t", (Member(Scalar(Kind.INT), "", 3),))))


def test_alignas_asks_for_no_less_than_the_unit_of_a_bit_field_of_an_ms_struct() -> None:
    units = Record("s", (Member(BitInt(129), "a", 27),), ms_struct=True)
    assert least_alignas(Member(units, "b")) >= 24


@roomy
@given(questions)
def test_alignas_never_lowers_an_alignment(question: Question) -> None:
    for member in members_in(question):
        if member.alignas is not None:
            assert member.width is None
            assert member.alignas >= extent(member.type)[1]
            assert member.position is Position.AFTER or member.alignas >= (member.align or 1)


@roomy
@given(questions)
def test_only_pointers_have_attributes_behind_a_star(question: Question) -> None:
    for member in members_in(question):
        if member.position is not Position.AFTER:
            assert member.packed or member.align is not None
        if member.position is Position.POINTER:
            assert isinstance(member.type, Pointer)


@roomy
@given(questions)
def test_anonymous_records_are_packed_like_the_record_around_them(question: Question) -> None:
    for c_type in everything_in(question):
        if isinstance(c_type, Record):
            inner = [member.type for member in c_type.members if not member.name]
            assert all(item.pack == c_type.pack for item in inner if isinstance(item, Record))


@roomy
@given(questions)
def test_atomic_types_can_be_loaded(question: Question) -> None:
    bases = [c_type.base for c_type in everything_in(question) if isinstance(c_type, Atomic)]
    assert not any(isinstance(base, (Array, Atomic, BitInt, Typedef)) for base in bases)


@roomy
@given(questions)
def test_vectors_are_whole_numbers_of_elements(question: Question) -> None:
    for c_type in everything_in(question):
        if isinstance(c_type, Vector):
            assert c_type.size % extent(Scalar(c_type.kind))[0] == 0
            assert c_type.kind is not Kind.BOOL


@roomy
@given(questions)
def test_records_keep_within_their_size(question: Question) -> None:
    assert all(extent(c_type)[0] <= LARGE_ROOM for c_type in types_of(question))


@roomy
@given(questions)
def test_a_question_survives_the_journey_through_json(question: Question) -> None:
    assert decode(encode(question)) == question


@roomy
@given(st.data(), st.integers(1, 12), st.integers(1, 4))
def test_records_keep_to_their_bounds(data: st.DataObject, max_members: int, max_depth: int) -> None:
    record = data.draw(records(max_members=max_members, max_depth=max_depth))
    assert depth(record) <= max_depth
    nested = [c_type for c_type in everything_in(record) if isinstance(c_type, Record)]
    assert all(len(c_type.members) <= max_members for c_type in nested)


@roomy
@given(st.data(), st.integers(0, 20))
def test_prototypes_keep_to_their_bounds(data: st.DataObject, max_params: int) -> None:
    assert len(data.draw(prototypes(max_params=max_params)).params) <= max_params


@roomy
@given(types(max_depth=2))
def test_types_keep_to_their_depth(c_type: Type) -> None:
    assert depth(c_type) <= 2


@roomy
@given(records(exclude=EXTENSIONS), prototypes(exclude=EXTENSIONS))
def test_without_extensions_a_question_is_iso_c(record: Record, prototype: Prototype) -> None:
    allowed = {"_Atomic", "_Complex", "alignas", "flexible array", "long double"}
    assert features(record) | features(prototype) <= allowed


@roomy
@given(st.data(), exclusions)
def test_excluded_features_do_not_occur(data: st.DataObject, exclude: frozenset[str]) -> None:
    question = data.draw(st.one_of(records(exclude=exclude), prototypes(exclude=exclude)))
    assert not features(question) & exclude


@pytest.mark.parametrize(
    "wrong", [{"members": 0}, {"depth": 0}, {"params": -1}, {"exclude": frozenset({"_BitFloat"})}]
)
def test_impossible_bounds_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"at least|unknown features: _BitFloat"):
        Bounds(**wrong)

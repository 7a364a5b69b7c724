"""What a developer sees: the minimal example of a failure is the simplest question that shows it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, find, settings

from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records, types
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
)

INT = Scalar(Kind.INT)
ONE_INT = Record("S0", (Member(INT, "a"),))
patient = settings(max_examples=5000, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def minimal_record(condition: Callable[[Record], bool]) -> Record:
    return find(records(), condition, settings=patient, random=Random(0))


def minimal_prototype(condition: Callable[[Prototype], bool]) -> Prototype:
    return find(prototypes(), condition, settings=patient, random=Random(0))


def depth(c_type: Type) -> int:
    return isinstance(c_type, Record) + max(map(depth, components(c_type)), default=0)


def test_the_simplest_type_is_int() -> None:
    assert find(types(), lambda _: True, settings=patient, random=Random(0)) == INT


def test_the_simplest_record_has_one_int() -> None:
    assert minimal_record(lambda _: True) == ONE_INT


@pytest.mark.parametrize("count", [2, 3, 6])
def test_several_members_are_plain_ints(count: int) -> None:
    found = minimal_record(lambda record: len(record.members) >= count)
    assert [member.type for member in found.members] == [INT] * count
    assert not any(member.width for member in found.members)


def test_a_bit_field_stands_alone_and_is_one_bit_of_int() -> None:
    found = minimal_record(lambda record: any(member.width is not None for member in record.members))
    assert len(found.members) == 1
    assert found.members[0].type == INT
    assert found.members[0].width in {0, 1}


def test_a_zero_width_bit_field_stands_alone() -> None:
    found = minimal_record(lambda record: any(member.width == 0 for member in record.members))
    assert found == Record("S0", (Member(INT, width=0),))


def test_an_unnamed_bit_field_stands_alone() -> None:
    found = minimal_record(lambda record: any(member.width and not member.name for member in record.members))
    assert found == Record("S0", (Member(INT, width=1),))


def test_a_deep_record_is_a_chain_that_ends_in_an_int() -> None:
    found: Type = minimal_record(lambda record: depth(record) >= 3)
    while isinstance(found, Record):
        assert len(found.members) == 1
        found = found.members[0].type
    assert found == INT


def test_an_array_of_ints_has_one_and_stands_alone() -> None:
    def is_ints(c_type: Type) -> bool:
        return isinstance(c_type, Array) and c_type.element == INT and bool(c_type.length)

    found = minimal_record(lambda record: any(is_ints(member.type) for member in record.members))
    assert found == Record("S0", (Member(Array(INT, 1), "a"),))


def test_a_union_with_a_floating_member_has_little_else() -> None:
    def has_float(record: Record) -> bool:
        return any(
            isinstance(member.type, Scalar) and member.type.kind.is_floating for member in record.members
        )

    found = minimal_record(lambda record: record.union and has_float(record))
    assert len(found.members) <= 2


def test_a_complex_member_stands_alone() -> None:
    found = minimal_record(lambda record: any(isinstance(member.type, Complex) for member in record.members))
    assert [type(member.type) for member in found.members] == [Complex]


def has_member(condition: Callable[[Member], bool]) -> Callable[[Record], bool]:
    return lambda record: any(map(condition, record.members))


@pytest.mark.parametrize(
    ("condition", "member"),
    [
        (lambda member: member.packed, Member(INT, "a", packed=True)),
        (lambda member: member.align == 16, Member(INT, "a", align=16)),
        (lambda member: member.alignas == 16, Member(INT, "a", alignas=16)),
        (lambda member: isinstance(member.type, Vector), Member(Vector(Kind.INT, 16), "a")),
        (lambda member: isinstance(member.type, Atomic), Member(Atomic(INT), "a")),
        (lambda member: isinstance(member.type, Typedef), Member(Typedef("T0", INT, 16), "a")),
        (lambda member: isinstance(member.type, BitInt), Member(BitInt(2), "a")),
    ],
    ids=["packed", "aligned", "alignas", "vector", "atomic", "typedef", "bit-precise"],
)
def test_an_extension_stands_alone(condition: Callable[[Member], bool], member: Member) -> None:
    assert minimal_record(has_member(condition)) == Record("S0", (member,))


@pytest.mark.parametrize(
    ("condition", "record"),
    [
        (lambda record: record.packed, Record("S0", ONE_INT.members, packed=True)),
        (lambda record: record.align is not None, Record("S0", ONE_INT.members, align=16)),
        (lambda record: record.pack is not None, Record("S0", ONE_INT.members, pack=1)),
        (lambda record: record.ms_struct is not None, Record("S0", ONE_INT.members, ms_struct=True)),
    ],
    ids=["packed", "aligned", "pragma pack", "ms_struct"],
)
def test_an_attribute_of_a_record_stands_alone(condition: Callable[[Record], bool], record: Record) -> None:
    assert minimal_record(condition) == record


def test_an_enumeration_has_the_smallest_range() -> None:
    found = find(types(), lambda c_type: isinstance(c_type, Enum), settings=patient, random=Random(0))
    assert isinstance(found, Enum)
    assert [constant.value for constant in found.enumerators] == [0, 1]


def test_the_simplest_prototype_takes_and_gives_nothing() -> None:
    assert minimal_prototype(lambda _: True) == Prototype("f", None, ())


def test_many_parameters_are_plain_ints() -> None:
    found = minimal_prototype(lambda function: len(function.params) > 8)
    assert found.result is None
    assert [param.type for param in found.params] == [INT] * 9


def test_a_record_parameter_stands_alone() -> None:
    found = minimal_prototype(
        lambda function: any(isinstance(param.type, Record) for param in function.params)
    )
    assert found == Prototype("f", None, (Param("b", ONE_INT),))


def test_a_record_after_eight_parameters_follows_ints() -> None:
    found = minimal_prototype(
        lambda function: len(function.params) > 8 and isinstance(function.params[8].type, Record)
    )
    assert [param.type for param in found.params[:8]] == [INT] * 8
    assert len(found.params) == 9


def test_a_record_result_comes_without_parameters() -> None:
    found = minimal_prototype(lambda function: isinstance(function.result, Record))
    assert found == Prototype("f", ONE_INT, ())

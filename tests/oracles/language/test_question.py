"""Probes: a question's identity, and its journey through JSON."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.question import Probe, Question, decode, encode, probe

INT = Scalar(Kind.INT)
EVERYTHING = Record(
    "s",
    (
        Member(INT, "a", width=3),
        Member(Scalar(Kind.SHORT), width=0),
        Member(BitInt(37, signed=False), "b"),
        Member(Complex(Kind.FLOAT), "c", packed=True),
        Member(Enum("e", (Enumerator("A", -1),), packed=True), "d"),
        Member(Pointer("int", function=True), "e", align=16),
        Member(Vector(Kind.FLOAT, 16), "f", alignas=32),
        Member(Atomic(INT), "g"),
        Member(Typedef("t", INT, align=2), "h"),
        Member(Record("", (Member(INT, "i"),), union=True)),
        Member(Array(INT, None), "j"),
    ),
    packed=True,
    align=64,
    pack=8,
)
CALL = Prototype(
    "f", Scalar(Kind.DOUBLE), (Param("a", EVERYTHING),), variadic=True, unnamed=(Scalar(Kind.LONG),)
)

drawn = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
questions = st.one_of(records(), prototypes(), st.just(EVERYTHING), st.just(CALL))

PINNED = [
    (Record("S", ()), "c19ed26e2969"),
    (Record("S", (Member(INT, "a"), Member(Scalar(Kind.DOUBLE), "b"))), "ecdd78c71eb6"),
    (EVERYTHING, "a0e6f9ad94d3"),
    (Prototype("f", None, ()), "92521ed1684b"),
    (CALL, "48e8d3877b10"),
]


@pytest.mark.parametrize(("question", "identity"), PINNED)
def test_an_id_is_the_same_for_ever(question: Question, identity: str) -> None:
    assert probe(question) == Probe(identity, question)


@drawn
@given(questions)
def test_a_question_survives_the_journey_through_json(question: Question) -> None:
    assert decode(encode(question)) == question
    assert encode(decode(encode(question))) == encode(question)
    assert probe(decode(encode(question))).id == probe(question).id


@drawn
@given(questions, questions)
def test_different_questions_have_different_ids(one: Question, other: Question) -> None:
    assert (probe(one).id == probe(other).id) == (one == other)


@drawn
@given(questions)
def test_what_is_written_is_json_that_names_the_kind_of_question(question: Question) -> None:
    assert json.loads(encode(question))["type"] == type(question).__name__


def test_defaults_are_not_written() -> None:
    text = b'{"type":"Record","tag":"S","members":[{"type":{"type":"Scalar","kind":"int"},"name":"a"}]}'
    assert encode(Record("S", (Member(INT, "a"),))) == text


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b'{"type": "Scalar", "kind": "int"}',
        b'{"type": "Record", "tag": "S"}',
        b'{"type": "Record", "tag": "S", "members": [{"type": {"type": "Scalar", "kind": "integer"}}]}',
        b'{"type": "Prototype", "name": 1, "result": null, "params": []}',
    ],
)
def test_what_is_no_question_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(data)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(b"struct S;")

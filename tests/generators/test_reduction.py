"""Laws of a reduction's candidates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abiprobe.generators.pool import draw_pool
from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.chunks import without_chunks
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.lawful import lawful
from abiprobe.generators.reduction.names import renamed
from abiprobe.generators.types import records
from abiprobe.harness.machines.render.c import definitions
from abiprobe.oracles.language.lang import (
    Array,
    Kind,
    Member,
    Param,
    Position,
    Prototype,
    Record,
    Scalar,
    declared,
)
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.language.question import Question, decode, encode
from abiprobe.results.causes.traits import traits

POOL = draw_pool(seed=11, cases=60)
DRAWN: tuple[Question, ...] = (*POOL.prototypes, *POOL.records)
FEW = settings(max_examples=25, deadline=None)
QUESTIONS = st.one_of(records(max_members=5, max_depth=2), prototypes())


@FEW
@given(QUESTIONS)
def test_every_candidate_costs_less(question: Question) -> None:
    assert all(cost(one) < cost(question) for one in candidates(question))


@FEW
@given(QUESTIONS)
def test_candidates_are_the_same_each_time_and_asked_once(question: Question) -> None:
    found = candidates(question)
    assert found == candidates(decode(encode(question)))
    assert len(found) == len(set(found))


@FEW
@given(QUESTIONS)
def test_what_is_drawn_is_lawful(question: Question) -> None:
    assert lawful(question)


@pytest.mark.parametrize("question", DRAWN[::15], ids=lambda one: getattr(one, "tag", None))
def test_a_tag_never_has_two_meanings(question: Question) -> None:
    for one in candidates(question):
        types = (
            (one,)
            if isinstance(one, Record)
            else (*filter(None, (one.result,)), *(p.type for p in one.params))
        )
        names = [getattr(item, "tag", None) or getattr(item, "name", None) for item in declared(types)]
        names = [name for name in names if name]
        assert len(names) == len(set(names)), definitions(types)


@FEW
@given(QUESTIONS)
def test_other_names_change_nothing_else(question: Question) -> None:
    named = renamed(question)
    assert cost(named) == cost(question)
    assert traits(named) == traits(question)
    assert renamed(named) == named


@pytest.mark.parametrize("question", DRAWN[::4])
def test_every_trait_can_be_taken_away(question: Question) -> None:
    """What a reduced question still has, it needs."""
    trait = set(traits(question)) - {"struct", "union"}
    smaller = candidates(question)
    while trait and smaller:
        taken = [one for one in smaller if len(traits(one) & trait) < len(trait)]
        assert taken, trait
        trait &= traits(taken[0])
        smaller = candidates(taken[0])
    assert not trait


def test_the_first_candidates_leave_most_out() -> None:
    assert list(without_chunks((1, 2, 3))) == [(), (2, 3), (1, 3), (1, 2), (1,), (2,), (3,)]
    assert list(without_chunks(())) == []


def test_the_end_of_every_way() -> None:
    """Where everything passes, one struct without members or a function of nothing is left."""
    for question in DRAWN[::10]:
        current = question
        while smaller := candidates(current):
            current = smaller[0]
        empty = Record(current.tag, ()) if isinstance(current, Record) else Prototype(current.name, None, ())
        assert current == empty


UNLAWFUL = [
    Member(Scalar(Kind.INT), "a", 33),
    Member(Scalar(Kind.BOOL), "a", 2),
    Member(Scalar(Kind.DOUBLE), "a", 2),
    Member(Scalar(Kind.INT), "a", 0),
    Member(Scalar(Kind.INT), ""),
    Member(Array(Scalar(Kind.INT), None), "a"),
    Member(Scalar(Kind.INT), "a", align=8, position=Position.POINTER),
]


@pytest.mark.parametrize("member", UNLAWFUL)
def test_what_no_compiler_takes_is_not_asked(member: Member) -> None:
    assert not lawful(Record("S", (member,)))


def test_unnamed_arguments_are_named_or_left_out_and_stay_promoted() -> None:
    long, record = Scalar(Kind.LONG), Record("S", (Member(Scalar(Kind.FLOAT), "a"),))
    function = Prototype("f", None, (Param("a", long),), variadic=True, unnamed=(record, long, record))
    found = candidates(function)
    assert Prototype("f", None, (Param("a", long),), variadic=True, unnamed=(record,)) in found
    named = next(one for one in found if isinstance(one, Prototype) and len(one.params) == 4)
    assert not named.variadic
    unnamed = [c_type for one in found if isinstance(one, Prototype) for c_type in one.unnamed]
    assert all(promoted(c_type) == c_type for c_type in unnamed)


def test_registers_are_used_up_at_one_stroke() -> None:
    record = Record("S", (Member(Scalar(Kind.FLOAT), "a"), Member(Scalar(Kind.DOUBLE), "b")))
    odd = Scalar(Kind.LDOUBLE)
    function = Prototype("f", None, tuple(Param(f"p{i}", record if i % 2 else odd) for i in range(14)))
    shapes = [
        tuple(param.type for param in one.params)
        for one in candidates(function)
        if isinstance(one, Prototype)
    ]
    assert (*(Scalar(Kind.LONG),) * 8, record) in shapes
    assert (*(Scalar(Kind.DOUBLE),) * 8, odd, record) in shapes


def test_a_bit_field_does_not_become_wider_than_a_long_of_the_target() -> None:
    wide = Record("S", (Member(Scalar(Kind.LLONG), "a", 64),))
    shorter = Record("S", (Member(Scalar(Kind.LONG), "a", 64),))
    assert shorter in candidates(wide)
    assert shorter not in candidates(wide, long=32)
    assert lawful(shorter)
    assert not lawful(shorter, long=32)

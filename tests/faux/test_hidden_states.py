"""Compilers with hidden states: a suite for fewer of them misses what the one for as many finds."""

from __future__ import annotations

from functools import cache

import pytest

from abiprobe.generators.complete.signatures import signature, simplest, suites
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_model
from abiprobe.results.verdicts.record import Judgement

from .putting import Ask

TARGET = "x86_64-ms"
ONE_STATE = ("forgets_after_a_struct", "misplaces_the_second_of_two", "counts_reals")
"""Each has one state more than the model: it remembers one thing once the arguments are on the stack."""
INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)


@cache
def asked(extra: int) -> tuple[Question, ...]:
    """The suite of calls that are not variadic, each function by its own name."""
    suite = next(suites(find_model(TARGET), extra))
    made = (signature(suite, word, simplest) for word in suite.words)
    return tuple(called(number, one) for number, one in enumerate(made))


def called(number: int, one: Prototype) -> Prototype:
    return Prototype(f"f{number}", one.result, one.params)


def deviations(lied: Ask, lie: str, questions: tuple[Question, ...]) -> int:
    told = lied(lie, TARGET, questions, Limits())
    return sum(verdict.verdict is Judgement.DEVIATES for verdict in told.values())


@pytest.mark.parametrize("lie", ONE_STATE)
def test_one_hidden_state_is_found_by_the_suite_for_one(lied: Ask, lie: str) -> None:
    assert deviations(lied, lie, asked(0)) == 0
    assert deviations(lied, lie, asked(1)) > 0


def test_more_hidden_states_than_the_suite_is_for_may_be_missed(lied: Ask) -> None:
    lie = "counts_to_thirteen"
    assert deviations(lied, lie, asked(1)) == 0
    long = Prototype("f", None, (*(Param(f"a{number}", INT) for number in range(13)), Param("b", DOUBLE)))
    assert deviations(lied, lie, (long,)) == 1

"""Compilers with hidden states: a suite for fewer of them misses what the one for as many finds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import starmap

import pytest

from abiprobe.generators.complete.machine import Word
from abiprobe.generators.complete.signatures import ModeSuite, signature, simplest, suites
from abiprobe.generators.tours import tour
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_model
from abiprobe.results.verdicts.record import Judgement

from .putting import Ask

TARGET = "x86_64-ms"
ONE_STATE = ("forgets_after_a_struct", "misplaces_the_second_of_two", "counts_reals", "counts_to_five")
"""Each has one state more than the model: it remembers one thing once the arguments are on the stack."""
MISSED_BY_TOUR = ("forgets_after_a_struct", "misplaces_the_second_of_two", "counts_to_thirteen")
"""The others it finds by chance, since its signatures are long."""
INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)


@cache
def suite(extra: int) -> ModeSuite:
    """The suite of calls that are not variadic."""
    return next(suites(find_model(TARGET), extra))


@cache
def asked(extra: int) -> tuple[Question, ...]:
    """The signatures of the suite, each function by its own name."""
    return spelled(suite(extra), suite(extra).words)


def spelled(one: ModeSuite, words: Iterable[Word]) -> tuple[Question, ...]:
    return tuple(called(number, signature(one, word, simplest)) for number, word in enumerate(words))


@cache
def toured() -> tuple[Question, ...]:
    """The tour of calls that are not variadic."""
    plain = next(part for part in tour(find_model(TARGET)) if part.mode == "plain")
    return tuple(starmap(called, enumerate(plain.signatures)))


def called(number: int, one: Prototype) -> Prototype:
    return Prototype(f"f{number}", one.result, one.params)


def deviations(lied: Ask, lie: str, questions: tuple[Question, ...]) -> int:
    told = lied(lie, TARGET, questions, Limits())
    return sum(verdict.verdict is Judgement.DEVIATES for verdict in told.values())


@pytest.mark.parametrize("lie", ONE_STATE)
def test_one_hidden_state_is_found_by_the_suite_for_one(lied: Ask, lie: str) -> None:
    assert deviations(lied, lie, asked(0)) == 0
    assert deviations(lied, lie, asked(1)) > 0


@pytest.mark.parametrize("lie", MISSED_BY_TOUR)
def test_a_tour_misses_some(lied: Ask, lie: str) -> None:
    assert deviations(lied, lie, toured()) == 0


def test_more_hidden_states_than_the_suite_is_for_may_be_missed(lied: Ask) -> None:
    lie = "counts_to_thirteen"
    assert deviations(lied, lie, asked(1)) == 0
    long = Prototype("f", None, (*(Param(f"a{number}", INT) for number in range(13)), Param("b", DOUBLE)))
    assert deviations(lied, lie, (long,)) == 1


def test_a_suite_for_as_many_states_finds_what_counts_to_thirteen(lied: Ask) -> None:
    """Four integers have registers, and nine more are as many states; of its suite only words that begin with integers are asked."""
    whole = suite(9)
    (integers,) = {word[1] for word in whole.words if simplest(whole.letters[word[1]].types) == INT}
    begun = [word for word in whole.words if set(word[1:14]) == {integers} and len(word) > 14]
    assert begun
    assert deviations(lied, "counts_to_thirteen", spelled(whole, begun[:1])) == 1

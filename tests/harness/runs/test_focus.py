"""A run can be about clauses, traits and targets alone."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.nights.command_lines import run_line
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.runs import focus
from abiprobe.harness.runs.focus import expect_traits, focused, targets_in, wanted_by
from abiprobe.harness.runs.question_batches import QuestionBatches
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.iso_c import Edition, edition_of, says
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.traits import traits
from abiprobe.results.journal.journal import Plan

X86, RISCV = find_target("x86_64-sysv"), find_target("riscv64-lp64d")
CLAUSE = "x86_64:pass.sseup"


def test_targets_are_told_from_clauses_and_traits() -> None:
    assert targets_in((X86, RISCV), ("x86_64-sysv", CLAUSE, "bit-field")) == ((X86,), (CLAUSE, "bit-field"))
    assert targets_in((X86, RISCV), ("bit-field",)) == ((X86, RISCV), ("bit-field",))


@pytest.mark.parametrize("name", ["s390x", "x86_64:nix", "s390:pass.float"])
def test_what_the_targets_do_not_have_is_told(name: str) -> None:
    with pytest.raises(Problem, match=name):
        targets_in((X86, RISCV), (name,))


def test_a_trait_that_no_question_has_is_told() -> None:
    expect_traits((CLAUSE, "bit-field"), 1)
    with pytest.raises(Problem, match=r"'bitfield'.*did you mean bit-field"):
        expect_traits(("bitfield",), 1)


def test_all_questions_have_the_clause_or_the_trait_and_none_is_left_out() -> None:
    only = (CLAUSE, "bit-field")
    every = tuple(islice(stream(seed=1, kind=Sort.PROTOTYPES), 300))
    asked = tuple(focused(iter(every), wanted_by(only, (RISCV, X86))))
    has = {one: CLAUSE in observer_of(X86, one).cited(probe(one)) for one in every}
    assert asked == tuple(one for one in every if has[one] or "bit-field" in traits(one))
    assert any(has[one] and "bit-field" not in traits(one) for one in asked)


def test_questions_end_where_none_is_wanted_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(focus, "BARREN", 20)
    plan = Plan(1, 100, (X86.spelling,), ("gcc",), ("O0",), only=(CLAUSE,))
    batches = QuestionBatches(plan, {X86: (parse_subject("gcc"),)})
    assert batches.take(Sort.RECORDS, 0) == ()


@pytest.mark.parametrize("edition", [Edition.C99, Edition.C11, Edition.C23])
def test_a_run_in_an_edition_of_c_draws_nothing_else(edition: Edition) -> None:
    plan = Plan(1, 60, (X86.spelling,), ("gcc", "g++"), ("O0",), language=edition.value)
    batches = QuestionBatches(plan, {X86: (parse_subject("gcc"), parse_subject("g++"))})
    for sort in POOL_SORTS:
        drawn = batches.take(sort, 0)
        assert len(drawn) == plan.cases
        assert all(says(edition, one) for one in drawn)
        assert any(edition_of(one) is edition for one in drawn)
    assert batches.take(Sort.CLASSES, 0) == ()


def test_a_plan_of_an_edition_is_run_again_as_it_was() -> None:
    plan = Plan(1, 60, (X86.spelling,), ("gcc",), ("O0",), language="c99")
    assert "--language c99" in run_line(plan, None)
    assert "--language" not in run_line(msgspec.structs.replace(plan, language="gnu"), None)

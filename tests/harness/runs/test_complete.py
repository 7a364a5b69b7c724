"""Complete suites as part of a run: every signature is asked once with the simplest types, and once with drawn ones."""

from __future__ import annotations

from itertools import chain

import msgspec
import pytest

from abiprobe.generators.complete import signatures
from abiprobe.generators.complete.signatures import signature, simplest
from abiprobe.generators.pool import BATCH
from abiprobe.generators.tours.menu import INT
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.runs import complete, schedule
from abiprobe.harness.runs.question_sorts import subjects_of, targets_of
from abiprobe.harness.runs.schedule import jobs, total_batches
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import dialects_of_sides, find_target
from abiprobe.results.journal.journal import BatchKey, Plan

TARGETS = ("riscv32-ilp32e", "x86_64-ms")
PLAN = Plan(1, 0, TARGETS, ("clang",), ("O0", "O2"), complete=1)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed, there is a compiler."""
    monkeypatch.setattr(
        schedule, "subjects_by_target", lambda plan: dict.fromkeys(targets_of(plan), subjects_of(plan))
    )
    monkeypatch.setattr(schedule, "can_answer", lambda *_: True)


def keys(plan: Plan, done: frozenset[BatchKey] = frozenset()) -> list[BatchKey]:
    return [
        BatchKey(job.target.spelling, subject.spelling, level, job.sort, job.number)
        for job in jobs(plan, done, 1, Limits())
        for subject, level in job.subjects
    ]


def asked(plan: Plan, *, drawn: bool) -> list[Prototype]:
    """The signatures of one target's suites of words, in the order of their batches."""
    suites = [
        one
        for one in complete.of_plan(plan)
        if one.target == TARGETS[1] and one.drawn is drawn and not one.types
    ]
    return [
        one
        for suite in suites
        for number in range(suite.first, suite.first + suite.batches)
        for one in complete.batch(plan, find_target(suite.target), suite.sort, number)
    ]


def test_nothing_else_is_asked_and_every_level_is() -> None:
    found = keys(PLAN)
    assert {(key.sort, key.level) for key in found} == {(Sort.COMPLETE, level) for level in PLAN.levels}
    assert len(set(found)) == len(found) == total_batches(PLAN)
    assert len(found) == 2 * sum(suite.batches for suite in complete.of_plan(PLAN))


def test_a_run_without_has_none() -> None:
    assert complete.of_plan(msgspec.structs.replace(PLAN, complete=None)) == ()


@pytest.mark.parametrize("result", [0, 1])
def test_a_variadic_call_has_a_named_parameter(result: int) -> None:
    """A word may be a result alone, and `int f(...)` is C23 only."""
    mode = next(one for one in complete.modes(find_target(TARGETS[1]), 0) if one.name == "variadic")
    asked = signature(mode, (result,), simplest)
    assert (asked.variadic, asked.unnamed, [param.type for param in asked.params]) == (True, (), [INT])


@pytest.mark.parametrize("shards", [2, 3])
def test_shards_divide_the_batches(shards: int) -> None:
    parts = [msgspec.structs.replace(PLAN, shard=(one, shards)) for one in range(1, shards + 1)]
    assert sorted(chain.from_iterable(map(keys, parts))) == sorted(keys(PLAN))
    assert [len(keys(part)) for part in parts] == [total_batches(part) for part in parts]


def test_what_is_done_is_not_done_again() -> None:
    every = keys(PLAN)
    done = frozenset(every[::2])
    assert sorted(keys(PLAN, done)) == sorted(set(every) - done)


def test_the_header_counts_what_is_asked() -> None:
    for suite in complete.of_plan(PLAN):
        numbers = range(suite.first, suite.first + suite.batches)
        sizes = [
            len(complete.batch(PLAN, find_target(suite.target), suite.sort, number)) for number in numbers
        ]
        assert sum(sizes) == suite.signatures
        assert max(sizes) <= BATCH


def test_the_second_suite_is_that_for_a_state_less_with_other_types() -> None:
    second, fewer = asked(PLAN, drawn=True), msgspec.structs.replace(PLAN, complete=0)
    assert len(set(second)) == len(second) < len(set(asked(PLAN, drawn=False)))
    assert [shape(one) for one in second] == [shape(one) for one in asked(fewer, drawn=False)]
    assert second != asked(fewer, drawn=False)
    other = msgspec.structs.replace(PLAN, seed=2)
    assert asked(other, drawn=False) == asked(PLAN, drawn=False)
    assert asked(other, drawn=True) != second == asked(PLAN, drawn=True)


def shape(one: Prototype) -> tuple[int, int]:
    """The numbers of named and of unnamed arguments."""
    return len(one.params), len(one.unnamed)


def test_a_dialect_is_asked_what_its_quirks_of_one_side_need() -> None:
    """Gcc's `va_arg` under `ms_abi` takes as many words as a value has, so its callees have states that its callers have not."""
    target = find_target("x86_64-ms@gcc-16")
    plain, variadic = complete.modes(target, 1)
    assert not any(one.questions for one in complete.of_sides(target, plain))
    more = [asked for one in complete.of_sides(target, variadic) for asked in one.questions]
    of_callees = next(
        complete.modes(dialect, 1, quirks)[1]
        for quirks, dialect in dialects_of_sides(target).items()
        if any("va_arg takes the address" in name for name in quirks)
    )
    assert of_callees.states > variadic.states
    every = {signature(one, word, simplest) for one in (variadic, of_callees) for word in one.words}
    own = {signature(variadic, word, simplest) for word in variadic.words}
    assert every <= own | set(more)
    assert len(set(more)) == len(more)


def test_the_header_names_the_quirks_that_the_suites_of_a_dialect_are_complete_for() -> None:
    plan = msgspec.structs.replace(PLAN, targets=("x86_64-ms@gcc-16", "x86_64-ms"))
    named = {(one.target, one.types): one.quirks for one in complete.of_plan(plan)}
    assert (
        "gcc's va_arg takes the address of an argument by reference for its value"
        in named[plan.targets[0], True]
    )
    assert [bool(one) for one in named.values()] == [asked == (plan.targets[0], True) for asked in named]


def test_a_text_has_no_dialects_of_sides() -> None:
    assert dialects_of_sides(find_target("x86_64-ms")) == {}
    assert dialects_of_sides(find_target("x86_64-ms@gcc-reading")) == {}


def test_each_type_of_each_class_is_asked_by_itself_and_most_are_drawn() -> None:
    target = find_target(TARGETS[1])
    plain = complete.modes(target, 1)[0]
    alone = {one.params[0].type for one in plain.alone}
    drawn = {given.type for one in asked(PLAN, drawn=True) for given in one.arguments}
    for letter in plain.letters[len(plain.letters) - 3 :]:
        assert set(letter.types) <= alone
        assert drawn & set(letter.usual)


def test_too_many_signatures_are_refused_in_a_line() -> None:
    with pytest.raises(Problem, match=r"no complete suite for riscv64-lp64d: [0-9,]+ signatures"):
        complete.modes(find_target("riscv64-lp64d"), 7)


def test_a_convention_that_counts_its_arguments_has_none() -> None:
    with pytest.raises(Problem, match="no complete suite for wasm32: the number of arguments is a state"):
        complete.modes(find_target("wasm32"), 1)


def test_vector_functions_have_none() -> None:
    assert complete.modes(find_target("x86_64-vfabi"), 1) == ()


def test_suites_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = complete.modes(find_target("x86_64-ms"), 1)
    complete.modes.cache_clear()
    monkeypatch.setattr(complete, "suites", lambda *_: pytest.fail("derived again"))
    assert complete.modes(find_target("x86_64-ms"), 1) == found
    assert max(len(word) for one in found for word in one.words) < signatures.LONGEST

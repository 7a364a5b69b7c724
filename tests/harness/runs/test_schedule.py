"""Time is shared between targets, and every batch has its turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from msgspec import structs

from abiprobe.generators import wide_vectors
from abiprobe.generators.pool import BATCH
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs import schedule
from abiprobe.harness.runs.budget_sharing import LEAST, TargetSeconds, batch_size, cheapest_first
from abiprobe.harness.runs.question_sorts import subjects_of, targets_of
from abiprobe.harness.runs.schedule import by_target
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import at_level, parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.journal.journal import BatchDone, BatchKey, Pairs, Plan

COSTS = {"quick": 1.0, "slow": 10.0, "never": 1.0}


def job(target: str, number: int) -> Job:
    return Job(called(target), number, Sort.RECORDS, (), (at_level(("cc", "O0")),))


def called(name: str) -> Target:
    """A target of this name."""
    return replace(TARGETS["x86_64-sysv"], name=name)


def test_a_slow_target_gets_no_more_time_than_a_quick_one() -> None:
    spent = TargetSeconds()
    parts = {
        called("quick"): (job("quick", number) for number in range(1000)),
        called("slow"): (job("slow", number) for number in range(1000)),
        called("never"): iter(()),
    }
    count: Counter[str] = Counter()
    for item in cheapest_first(parts, spent):
        spent.begin(item)
        count[item.target.name] += 1
        key = BatchKey(item.target.name, "cc", "O0", Sort.RECORDS, item.number)
        spent.end(BatchDone(key, 0, (), compile_seconds=COSTS[item.target.name]))
        if count["slow"] == 10:
            break
    assert 80 <= count["quick"] <= 110


def test_nothing_is_left_out() -> None:
    parts = {called(name): iter([job(name, number) for number in range(3)]) for name in ("a", "b")}
    found = [(item.target.name, item.number) for item in cheapest_first(parts, lambda _: 0.0)]
    assert sorted(found) == [(name, number) for name in ("a", "b") for number in range(3)]


def test_a_short_budget_has_small_batches_by_what_targets_took(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    one, two = find_target("x86_64-sysv"), find_target("riscv64-lp64d")
    compilers = tuple(map(parse_subject, ("gcc", "clang")))
    asked = dict.fromkeys((one, two), compilers)
    assert batch_size(asked, 1800, 2) == 0, "a night"
    assert batch_size(asked, 0.1, 2) == LEAST
    before = batch_size(asked, 20, 2)
    assert LEAST < before < BATCH
    spent = TargetSeconds()
    for target in asked:
        key = BatchKey(target.spelling, "gcc", "O0", Sort.RECORDS, 0)
        spent.end(BatchDone(key, 10, (), compile_seconds=0.4))
    spent.remember()
    assert batch_size(asked, 20, 2) == before // 2, "they cost twice as much as was assumed"


def test_small_batches_have_the_same_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    target, subjects = find_target("x86_64-sysv"), (parse_subject("gcc"),)
    monkeypatch.setattr(schedule, "subjects_by_target", lambda _: {target: subjects})
    plan = Plan(1, BATCH, (target.spelling,), ("gcc",), ("O0",))
    small = structs.replace(plan, batch=BATCH // 5)
    drawn = {one.batch: list(by_target(one, frozenset(), 1, Limits())[target]) for one in (plan, small)}
    for sort in (Sort.RECORDS, Sort.PROTOTYPES, *wide_vectors.SORTS):
        whole, parts = ([one.questions for one in jobs if one.sort == sort] for jobs in drawn.values())
        assert max(map(len, parts)) < max(map(len, whole))
        assert [each for part in parts for each in part] == [each for part in whole for each in part]
    assert sum(map(len, (one.subjects for one in drawn[small.batch]))) == schedule.total_batches(small)


def test_the_first_batch_of_a_budget_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    target, subjects = find_target("x86_64-sysv"), tuple(map(parse_subject, ("gcc", "clang")))
    monkeypatch.setattr(schedule, "subjects_by_target", lambda plan: {target: subjects})
    plan = Plan(1, 100 * BATCH, (target.spelling,), tuple(map(str, subjects)), ("O0", "O2"))
    few, first = (
        list(islice(by_target(plan, frozenset(), 2, Limits(), soon=soon)[target], 17))
        for soon in (False, True)
    )
    everyone = [(subject, level) for level in plan.levels for subject in subjects]
    prototypes = {
        soon: [one.subjects for one in made if (one.sort, one.number) == (Sort.PROTOTYPES, 0)]
        for soon, made in ((False, few), (True, first))
    }
    assert prototypes == {False: [tuple(everyone)], True: [(one,) for one in everyone]}
    later = [one for one in first if one.number == 1]
    # Calls with wide vectors come with every fourth of the other batches.
    assert [(one.sort, len(one.subjects)) for one in later[:2]] == [(Sort.PROTOTYPES, 4), (Sort.RECORDS, 2)]


def plan_of(cases: int, target: str, subjects: tuple[str, ...] = ("gcc",)) -> Plan:
    return Plan(1, cases, (target,), subjects, ("O0", "O2"), pairs=Pairs.FIRST)


@pytest.fixture
def everything_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        schedule, "subjects_by_target", lambda plan: dict.fromkeys(targets_of(plan), subjects_of(plan))
    )


@pytest.mark.usefixtures("everything_installed")
@pytest.mark.parametrize(("cases", "wide"), [(1, [1]), (16, [1]), (17, [2]), (1100, [64, 5])])
def test_calls_with_a_target_attribute_come_in_batches_of_their_own(cases: int, wide: list[int]) -> None:
    plan = plan_of(cases, "x86_64-sysv")
    made = list(schedule.jobs(plan, frozenset(), 1, Limits()))
    for sort, isa in wide_vectors.SORTS.items():
        assert [len(one.questions) for one in made if one.sort == sort] == wide
        asked = [one for job in made if job.sort == sort for one in job.questions]
        assert {one.isa for one in asked if isinstance(one, Prototype)} == {isa}
    others = [one for job in made if job.sort == Sort.PROTOTYPES for one in job.questions]
    assert {one.isa for one in others if isinstance(one, Prototype)} == {None}
    assert sum(len(one.subjects) for one in made) == schedule.total_batches(plan)


@pytest.mark.usefixtures("everything_installed")
def test_no_other_machine_and_no_other_language_is_asked_them() -> None:
    for target, subjects in (("riscv64-lp64d", ("gcc",)), ("x86_64-sysv", ("rustc",))):
        plan = plan_of(20, target, subjects)
        sorts = {one.sort for one in schedule.jobs(plan, frozenset(), 1, Limits())}
        assert sorts == {Sort.PROTOTYPES, Sort.RECORDS}


@pytest.mark.usefixtures("everything_installed")
def test_their_pairs_are_done_again_where_one_has_not_answered() -> None:
    plan = plan_of(20, "x86_64-sysv", ("gcc", "clang"))
    done = [
        BatchDone(BatchKey("x86_64-sysv", subject, "O0", sort, 0), 2, ())
        for subject, sort in (("gcc", Sort.PROTOTYPES_AVX), ("gcc", Sort.RECORDS))
    ]
    assert [one.key.sort for one in schedule.complete_batches(plan, done)] == ["records"]
    both = [*done, BatchDone(BatchKey("x86_64-sysv", "clang", "O0", Sort.PROTOTYPES_AVX, 0), 2, ())]
    assert len(list(schedule.complete_batches(plan, both))) == 3


@pytest.mark.usefixtures("everything_installed")
@pytest.mark.parametrize("target", ["mips64el-n64", "bpf", "x86_64-sysv"])
def test_every_job_asks_something(target: str) -> None:
    """A target without a model has no tour, and no small scope."""
    plan = structs.replace(plan_of(500, target, ("clang-22",)), tours=True)
    made = list(schedule.jobs(plan, frozenset(), 1, Limits()))
    assert all(one.questions for one in made)
    assert sum(len(one.subjects) for one in made) == schedule.total_batches(plan)

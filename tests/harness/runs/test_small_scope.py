"""The small scope as part of a run: the first part of it in each with tours, all of it in a night."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.generators.small_scope import SORT
from abiprobe.harness.runs import schedule, small_scope
from abiprobe.harness.runs.schedule import SCOPE_PARTS, jobs, scope_batches, total_batches
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model
from abiprobe.results.journal import BatchKey, Plan

TARGETS = ("riscv32-ilp32e", "x86_64-ms")
PLAN = Plan(1, 600, TARGETS, ("clang",), ("O0", "O2"), tours=True)
NIGHT = msgspec.structs.replace(PLAN, corpus="digest")
SUBJECT = "clang"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed, there is a compiler."""
    monkeypatch.setattr(
        schedule, "subjects_by_target", lambda plan: dict.fromkeys(plan.targets, plan.subjects)
    )
    monkeypatch.setattr(schedule, "can_answer", lambda *_: True)


def numbers(plan: Plan) -> list[tuple[str, int]]:
    """The batches of the small scope that a run does, in order."""
    done = jobs(plan, frozenset(), 1, Limits())
    return [(job.target, job.number % SCOPE_PARTS) for job in done if job.sort == SORT]


def test_a_run_begins_with_the_first_part() -> None:
    assert sorted(numbers(PLAN)) == [("riscv32-ilp32e", 0), ("x86_64-ms", 0)]
    first = [job.sort for job in jobs(PLAN, frozenset(), 1, Limits())][:6]
    assert set(first) == {"tours", SORT}
    assert numbers(msgspec.structs.replace(PLAN, tours=False)) == []


def test_a_night_does_a_part_with_each_drawn_batch() -> None:
    found = numbers(NIGHT)
    assert found == sorted(found, key=lambda one: one[1])
    assert {part for _, part in found} == {0, 1, 2, 3}
    endless = scope_batches(msgspec.structs.replace(NIGHT, cases=1 << 40))
    assert [len(one) for one in endless.values()] == [small_scope.parts(target) for target in TARGETS]
    every = [number for one in endless.values() for number in one.values()]
    assert len(every) == len(set(every))


def test_shards_divide_it() -> None:
    shards = [msgspec.structs.replace(NIGHT, shard=(k, 3)) for k in (1, 2, 3)]
    assert sorted(one for plan in shards for one in numbers(plan)) == sorted(numbers(NIGHT))


def test_what_is_done_is_not_done_again_and_all_is_counted() -> None:
    whole = list(jobs(NIGHT, frozenset(), 1, Limits()))
    asked = {
        BatchKey(job.target, subject, level, job.sort, job.number)
        for job in whole
        for subject, level in job.subjects
    }
    assert len(asked) == total_batches(NIGHT)
    assert not list(jobs(NIGHT, frozenset(asked), 1, Limits()))


def test_all_parts_are_the_whole() -> None:
    target = "x86_64-ms"
    parts = [small_scope.part(target, number) for number in range(small_scope.parts(target))]
    assert tuple(question for part in parts for question in part) == small_scope.questions(target)
    assert all(parts)


@pytest.mark.parametrize("target", ["x86_64-sysv", "riscv64-lp64d", "aarch64-aapcs64"])
def test_the_first_part_has_every_answer_that_there_is_room_for(target: str) -> None:
    model: AbiModel = find_model(target)
    cites = small_scope.cites(model)
    told = {cites(question) for question in small_scope.questions(target)} - {frozenset()}
    first = {cites(question) for question in small_scope.first(target)}
    assert len(first) == min(len(told), small_scope.FIRST)

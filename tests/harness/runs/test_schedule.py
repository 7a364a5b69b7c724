"""Time is shared between targets, and every batch has its turn."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from abiprobe.generators.pool import BATCH
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs import schedule
from abiprobe.harness.runs.budget_sharing import TargetSeconds, cheapest_first
from abiprobe.harness.runs.schedule import by_target
from abiprobe.harness.subjects.compile import Limits
from abiprobe.results.journal import BatchDone, BatchKey, Plan

COSTS = {"quick": 1.0, "slow": 10.0, "never": 1.0}


def job(target: str, number: int) -> Job:
    return Job(target, number, "records", (), (("cc", "O0"),))


def test_a_slow_target_gets_no_more_time_than_a_quick_one() -> None:
    spent = TargetSeconds()
    parts = {
        "quick": (job("quick", number) for number in range(1000)),
        "slow": (job("slow", number) for number in range(1000)),
        "never": iter(()),
    }
    count: Counter[str] = Counter()
    for item in cheapest_first(parts, spent):
        spent.begin(item)
        count[item.target] += 1
        key = BatchKey(item.target, "cc", "O0", "records", item.number)
        spent.end(BatchDone(key, 0, (), compile_seconds=COSTS[item.target]))
        if count["slow"] == 10:
            break
    assert 80 <= count["quick"] <= 110


def test_nothing_is_left_out() -> None:
    parts = {name: iter([job(name, number) for number in range(3)]) for name in ("a", "b")}
    found = [(item.target, item.number) for item in cheapest_first(parts, lambda _: 0.0)]
    assert sorted(found) == [(name, number) for name in ("a", "b") for number in range(3)]


def test_the_first_batch_of_a_budget_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    subjects = ("gcc", "clang")
    monkeypatch.setattr(schedule, "subjects_by_target", lambda plan: {"x86_64-sysv": subjects})
    plan = Plan(1, 100 * BATCH, ("x86_64-sysv",), subjects, ("O0", "O2"))
    few, first = (
        list(islice(by_target(plan, frozenset(), 2, Limits(), soon=soon)["x86_64-sysv"], 9))
        for soon in (False, True)
    )
    everyone = [(subject, level) for level in plan.levels for subject in subjects]
    prototypes = {
        soon: [one.subjects for one in made if (one.sort, one.number) == ("prototypes", 0)]
        for soon, made in ((False, few), (True, first))
    }
    assert prototypes == {False: [tuple(everyone)], True: [(one,) for one in everyone]}
    assert [len(one.subjects) for one in first if one.number == 1] == [4, 2]

"""A worker's death costs what it was doing, which is done again; what kills each time is found by halves."""

from __future__ import annotations

import errno
import os
import signal
import struct
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.workers import Work, in_order, pool_of, results, stop
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.observers.division import abandoned, halves, joined, run_in_parts
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.runs.session import Budget
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import BatchDone, Named, Pairs
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

Item = tuple[int, ...]
DEADLY = 7


def doubled(item: Item) -> list[int]:
    if DEADLY in item:
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * one for one in item]


def minus_one(item: Item) -> list[int]:
    return [-1 for _ in item]


def out_of_memory(item: Item) -> list[int]:
    if DEADLY in item:
        raise MemoryError
    return [2 * one for one in item]


def halved(item: Item) -> Sequence[Item]:
    middle = len(item) // 2
    return (item[:middle], item[middle:]) if middle else ()


def together(_item: Item, parts: Sequence[list[int]]) -> list[int]:
    return [one for part in parts for one in part]


ITEMS = [tuple(range(start, start + 5)) for start in range(0, 40, 5)]
RIGHT = [[2 * one if one != DEADLY else -1 for one in item] for item in ITEMS]


def half_told(item: Item) -> list[int]:
    """Die between the two halves of a result, of which the first has been written."""

    def write_half(pipe: Connection, told: bytes) -> None:
        os.write(pipe.fileno(), struct.pack("!i", len(told)) + told[:1])
        os.kill(os.getpid(), signal.SIGKILL)

    if DEADLY in item:
        Connection._send_bytes = write_half  # type: ignore[attr-defined]
    return [2 * one for one in item]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("do", [doubled, out_of_memory])
def test_one_deadly_item_costs_itself_alone(workers: int, do: object) -> None:
    assert callable(do)
    work = Work(do, minus_one, halved, together)
    assert [*in_order(results(work, ITEMS, workers))] == RIGHT


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_may_die_while_it_tells_a_result(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abiprobe.harness.base.workers.WATCH", 0.2)
    work = Work(half_told, minus_one, halved, together)
    assert [*in_order(results(work, ITEMS, workers))] == RIGHT


def long_result(item: Item) -> bytes:
    return bytes(item[0])


def test_a_pool_can_be_stopped_while_a_result_is_told() -> None:
    pool = pool_of(2)
    future = pool.submit(long_result, (1 << 28,))
    assert wait([pool._result_queue._reader])  # type: ignore[attr-defined]
    stop(pool)
    assert future.exception() is not None


class Dying:
    """Work of which a worker dies once."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, item: Item) -> list[int]:
        if DEADLY in item and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [2 * one for one in item]


def test_a_worker_that_dies_by_accident_costs_nothing(tmp_path: Path) -> None:
    work = Work(Dying(tmp_path / "mark"), minus_one, halved, together)
    assert [*in_order(results(work, ITEMS, 2))] == [[2 * one for one in item] for item in ITEMS]


def test_a_pool_that_broke_before_an_item_came_loses_the_item_to_another(tmp_path: Path) -> None:
    def late() -> Iterator[Item]:
        yield from ITEMS[:2]
        while not (tmp_path / "mark").exists():
            time.sleep(0.01)
        # The pool notices a moment later.
        time.sleep(0.5)
        yield from ITEMS[2:]

    work = Work(Dying(tmp_path / "mark"), minus_one, halved, together)
    assert [*in_order(results(work, late(), 2))] == [[2 * one for one in item] for item in ITEMS]


def always(_item: Item) -> list[int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def test_workers_that_only_die_are_a_problem() -> None:
    with pytest.raises(Problem, match="worker processes end as soon as they begin"):
        [*results(Work(always, always, halved, together), ITEMS, 2)]


def wrong(item: Item) -> list[int]:
    return [len(item) // 0]


def test_work_that_fails_fails_the_whole() -> None:
    with pytest.raises(ZeroDivisionError):
        [*results(Work(wrong, wrong), ITEMS, 2)]


def test_a_budget_leaves_running_jobs_some_time() -> None:
    budget = Budget(100.0, 0.0)
    assert budget.over()
    assert budget.left() < 0
    assert not Budget(None, 0.0).over()


FUNCTIONS = tuple(
    Prototype("f", None, (Param("a", Scalar(kind)),)) for kind in (Kind.INT, Kind.LONG, Kind.CHAR)
)
SUBJECTS = (("gcc-12", "O0"), ("gcc-12", "O2"))
JOB = spelled_job("x86_64-sysv", 0, Sort.PROTOTYPES, FUNCTIONS, SUBJECTS, programs=("", ""))


@pytest.mark.parametrize("pairs", [Pairs.NONE, Pairs.FIRST])
def test_halves_lose_nothing(pairs: Pairs) -> None:
    def smallest(job: Job) -> list[Job]:
        parts = halves(job)
        return [one for part in parts for one in smallest(part)] if parts else [job]

    found = smallest(msgspec.structs.replace(JOB, pairs=pairs))
    asked = sorted((str(one.questions), *(asked.spelling for asked in one.subjects)) for one in found)
    assert asked == sorted((str((question,)), subject) for question in FUNCTIONS for subject in SUBJECTS)


def test_parts_become_the_batch_that_was_asked_at_once() -> None:
    if not installed(parse_subject("gcc-12"), (find_target("x86_64-sysv"),)):
        pytest.skip("gcc-12 is not installed")
    job = msgspec.structs.replace(JOB, subjects=JOB.subjects[:1], programs=(), keep=True)
    (whole,) = run_job(job)

    def asked(some: Job) -> list[BatchDone]:
        parts = halves(some)
        return joined(some, [asked(part) for part in parts]) if parts else run_job(some)

    (found,) = asked(job)
    assert sorted(map(str, found.verdicts)) == sorted(map(str, whole.verdicts))
    assert (found.key, found.probes, found.clauses, sorted(found.compared)) == (
        whole.key,
        whole.probes,
        whole.clauses,
        sorted(whole.compared),
    )
    (given_up,) = abandoned(job)
    assert {verdict.outcome for verdict in given_up.verdicts} == {Outcome.NOT_RUN}
    assert {verdict.verdict for verdict in given_up.verdicts} == {Judgement.UNOBSERVED}
    assert len(given_up.verdicts) == len(whole.verdicts)


def test_an_error_of_our_own_costs_the_question_on_which_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let judging fail on one of three functions: it alone has no verdict, and the run says that not all was compared."""
    judge, (_, wrong, _) = ProgramObserver.judge, map(probe, FUNCTIONS)

    def failing(
        observer: ProgramObserver, plan: CallPlan, seen: ObservedCall | Failed
    ) -> tuple[Verdict, ...]:
        if plan.probe == wrong.id:
            raise IndexError("no such register")
        return judge(observer, plan, seen)

    if not installed(parse_subject("gcc-12"), (find_target("x86_64-sysv"),)):
        pytest.skip("gcc-12 is not installed")
    monkeypatch.setattr(ProgramObserver, "judge", failing)
    found = run_in_parts(JOB)
    assert [batch.key.level for batch in found] == ["O0", "O2"]
    for batch in found:
        told = {one.probe: (one.outcome, one.detail.partition(" (line ")[0]) for one in batch.verdicts}
        assert told.pop(wrong.id) == (Outcome.FAILED, "IndexError: no such register")
        assert {outcome for outcome, _ in told.values()} == {Outcome.OBSERVED}
        assert batch.probes == len(FUNCTIONS)
    covered = coverage(found, (), Named(("x86_64-sysv",), ("gcc-12",)))
    assert not covered.complete
    (line,) = covered.lines
    assert line.startswith("nothing was compared of 1 of the calls of gcc-12 -O0 -O2 on x86_64-sysv: ")
    assert "IndexError: no such register" in line


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES, errno.ENOSYS])
def test_a_folder_of_semaphores_that_cannot_be_written_is_named(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("_multiprocessing.SemLock", refuse)
    with pytest.raises(Problem, match=rf"semaphore in /dev/shm, .*\({os.strerror(number)}\)") as told:
        list(results(Work(doubled, minus_one, halved, together), ITEMS, 1))
    assert "mount" in told.value.hint

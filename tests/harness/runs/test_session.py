"""Which batches a run has, and in what parts they are handed out."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from abiprobe.generators.pool import BATCH, POOL_SORTS, PoolSort, draw
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.runs.question_sorts import CALLS, subjects_by_target
from abiprobe.harness.runs.run_files import create_folder
from abiprobe.harness.runs.schedule import jobs, split, total_batches
from abiprobe.harness.runs.session import header, resumable
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import at_level, installed, parse_subject
from abiprobe.oracles.language.question import Sort, decode, encode, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchKey, Plan

TARGET = "x86_64-sysv"
PAIRS = tuple(at_level((name, level)) for name in ("gcc", "clang", "zig") for level in ("O0", "O2"))


@pytest.mark.parametrize("groups", range(1, 9))
def test_parts_are_even_and_lose_nothing(groups: int) -> None:
    parts = [list(part) for part in split(PAIRS, groups)]
    assert [pair for part in parts for pair in part] == list(PAIRS)
    assert len(parts) <= groups
    assert all(parts)
    assert max(map(len, parts)) <= -(-len(PAIRS) // groups)


def test_nothing_has_no_parts() -> None:
    assert list(split([], 3)) == []


@pytest.fixture
def plan() -> Plan:
    subject = next(
        (name for name in ("zig", "gcc", "clang") if installed(parse_subject(name), (find_target(TARGET),))),
        None,
    )
    if subject is None:
        pytest.skip(f"no compiler is installed for {TARGET}")
    return Plan(1, 2 * BATCH + 10, (TARGET,), (subject,), ("O0", "O2"))


def keys(plan: Plan, done: frozenset[BatchKey] = frozenset(), workers: int = 1) -> list[BatchKey]:
    return [
        BatchKey(job.target.spelling, subject.spelling, level, job.sort, job.number)
        for job in jobs(plan, done, workers, Limits())
        for subject, level in job.subjects
    ]


def sharded(plan: Plan, shard: tuple[int, int]) -> Plan:
    return Plan(plan.seed, plan.cases, plan.targets, plan.subjects, plan.levels, shard)


def test_layouts_are_asked_at_one_level_and_calls_at_each(plan: Plan) -> None:
    found = keys(plan)
    assert len(set(found)) == len(found) == total_batches(plan) == 13
    assert {(key.sort, key.level) for key in found} == {
        (Sort.RECORDS, "O0"),
        *((sort, level) for sort in CALLS if sort is not Sort.CXX_CALLS for level in ("O0", "O2")),
    }


def test_the_last_batch_has_what_is_left(plan: Plan) -> None:
    sizes = {(job.sort, job.number): len(job.questions) for job in jobs(plan, frozenset(), 1, Limits())}
    pool = [count for (sort, _), count in sizes.items() if sort in {Sort.PROTOTYPES, Sort.RECORDS}]
    assert sorted(pool) == [10, 10, BATCH, BATCH, BATCH, BATCH]


@pytest.mark.parametrize("shards", [1, 2, 3, 5])
def test_shards_divide_the_batches(plan: Plan, shards: int) -> None:
    parts = [keys(sharded(plan, (part, shards))) for part in range(1, shards + 1)]
    assert sorted(key for part in parts for key in part) == sorted(keys(plan))
    assert [len(part) for part in parts] == [
        total_batches(sharded(plan, (part, shards))) for part in range(1, shards + 1)
    ]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_what_is_done_is_not_done_again(plan: Plan, workers: int) -> None:
    every = keys(plan)
    done = frozenset(every[::2])
    assert sorted(keys(plan, done, workers)) == sorted(set(every) - done)
    assert keys(plan, frozenset(every), workers) == []


def test_the_questions_do_not_depend_on_workers_or_on_what_is_done(plan: Plan) -> None:
    def questions(done: frozenset[BatchKey], workers: int) -> dict[tuple[str, int], object]:
        return {(job.sort, job.number): job.questions for job in jobs(plan, done, workers, Limits())}

    whole = questions(frozenset(), 1)
    assert questions(frozenset(), 7) == whole
    rest = questions(frozenset(keys(plan)[:4]), 1)
    assert rest.items() <= whole.items()


@pytest.mark.parametrize("kind", POOL_SORTS)
def test_a_question_has_the_same_id_wherever_it_has_been(kind: PoolSort) -> None:
    for question in draw(seed=1, kind=kind, start=0, count=100):
        identity = probe(question).id
        assert probe(pickle.loads(pickle.dumps(question))).id == identity
        assert probe(decode(encode(question))).id == identity


def test_a_subject_that_no_target_has_is_a_problem(plan: Plan) -> None:
    with pytest.raises(Problem, match="'clang-99' is not installed"):
        subjects_by_target(Plan(1, 1, (TARGET,), (*plan.subjects, "clang-99"), ("O0",)))


def test_a_run_is_resumed_with_the_same_compilers_only(plan: Plan) -> None:
    recorded = header(plan)
    resumable(plan, recorded)
    info = recorded.subjects[0]
    other = type(recorded)(
        recorded.schema,
        recorded.version,
        recorded.started,
        plan,
        (type(info)(info.target, info.subject, "clang version 1", "another"),),
    )
    with pytest.raises(Problem, match=r"not the compiler .* \(clang version 1\)"):
        resumable(plan, other)


def test_a_folder_is_made_with_its_parents_and_left_empty(tmp_path: Path) -> None:
    create_folder(tmp_path / "a" / "b")
    create_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_file_in_the_way_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Problem, match="cannot write to"):
        create_folder(tmp_path / "file")

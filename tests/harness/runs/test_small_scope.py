"""The small scope as part of a run: its covering array in each with tours, all of it in a night."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from abiprobe.generators.pool import BATCH
from abiprobe.generators.small_scope import BEHIND, NAMED
from abiprobe.harness.machines.render.arrange import Manner, manner_of
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs import schedule, small_scope
from abiprobe.harness.runs.question_sorts import subjects_of, targets_of
from abiprobe.harness.runs.schedule import SCOPE_PARTS, jobs, scope_batches, total_batches
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.lang import BitInt, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import WITNESSES, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchKey, Plan

TARGETS = ("riscv32-ilp32e", "x86_64-ms")
SORTS = (Sort.SMALL_RECORDS, Sort.SMALL_CALLS)
PLAN = Plan(1, 600, TARGETS, ("clang",), ("O0", "O2"), tours=True, sampled=tuple(WITNESSES.values()))
NIGHT = msgspec.structs.replace(PLAN, corpus="digest")
SUBJECT = "clang"
INT = Scalar(Kind.INT)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed, there is a compiler."""
    monkeypatch.setattr(
        schedule, "subjects_by_target", lambda plan: dict.fromkeys(targets_of(plan), subjects_of(plan))
    )
    monkeypatch.setattr(schedule, "can_answer", lambda *_: True)


def numbers(plan: Plan) -> list[tuple[str, str, int]]:
    """The batches of the small scope that a run does, in order."""
    return of_scope(jobs(plan, frozenset(), 1, Limits()))


def of_scope(done: Iterable[Job]) -> list[tuple[str, str, int]]:
    return [(job.target.spelling, job.sort, job.number % SCOPE_PARTS) for job in done if job.sort in SORTS]


def test_a_run_begins_with_the_first_parts() -> None:
    done = list(jobs(PLAN, frozenset(), 1, Limits()))
    assert set(of_scope(done)[:4]) == {(target, sort, 0) for target in TARGETS for sort in SORTS}
    assert [job.sort for job in done[:5]].count(Sort.TOURS) == 1
    assert numbers(msgspec.structs.replace(PLAN, tours=False)) == []


def test_a_run_has_no_more_of_it_than_of_drawn_questions() -> None:
    assert {part for *_, part in numbers(msgspec.structs.replace(PLAN, cases=BATCH))} == {0, 1}
    long = msgspec.structs.replace(PLAN, cases=1 << 40)
    for target in TARGETS:
        assert {sort: len(found) for sort, found in scope_batches(long, find_target(target)).items()} == {
            sort: small_scope.second_parts(find_target(target), sort) for sort in SORTS
        }


def test_the_covering_array_comes_before_further_drawn_batches() -> None:
    long = msgspec.structs.replace(PLAN, cases=30 * BATCH)
    done = [job for job in jobs(long, frozenset(), 1, Limits()) if job.target.spelling == TARGETS[1]]
    before = done[
        : next(at for at, job in enumerate(done) if job.number == 1 and job.sort == Sort.PROTOTYPES)
    ]
    for sort in SORTS:
        early = small_scope.early_parts(find_target(TARGETS[1]), sort)
        assert early > 1
        assert [job.number % SCOPE_PARTS for job in before if job.sort == sort] == [*range(early)]
    assert {job.sort for job in before} >= {Sort.TOURS, Sort.PROTOTYPES, Sort.RECORDS}
    tours = [before.index(job) for job in before if job.sort == Sort.TOURS]
    calls = [before.index(job) for job in before if job.sort == Sort.SMALL_CALLS]
    assert calls[0] < tours[0] < calls[1] < tours[-1]


def test_everything_that_tells_layouts_is_asked_of_the_covering_array() -> None:
    cases = BATCH * (
        2 + max(small_scope.first_parts(find_target(target), Sort.SMALL_RECORDS) for target in TARGETS)
    )
    night = msgspec.structs.replace(NIGHT, cases=cases)
    done = [job for job in jobs(night, frozenset(), 1, Limits()) if job.sort == Sort.SMALL_RECORDS]
    for job in done:
        early = job.number % SCOPE_PARTS < small_scope.first_parts(job.target, Sort.SMALL_RECORDS)
        assert set(job.witnesses) == (set(WITNESSES.values()) if early else {*PLAN.witnesses})
    assert {len(job.witnesses) for job in done} == {1, len(WITNESSES)}
    assert {level for job in done for _, level in job.subjects} == {"O0"}


def test_a_night_does_a_part_with_each_drawn_batch() -> None:
    found = numbers(NIGHT)
    assert found == sorted(found, key=lambda one: one[2])
    assert {part for *_, part in found} == {0, 1, 2, 3}
    plan = msgspec.structs.replace(NIGHT, cases=1 << 40)
    endless = {target: scope_batches(plan, find_target(target)) for target in TARGETS}
    for target in TARGETS:
        assert {sort: len(one) for sort, one in endless[target].items()} == {
            sort: small_scope.parts(find_target(target), sort) for sort in SORTS
        }
    every = [(sort, number) for one in endless.values() for sort in SORTS for number in one[sort].values()]
    assert len(every) == len(set(every))


def test_examples_of_known_deviations_come_first_and_are_no_night() -> None:
    record, call = Record("S", (Member(Scalar(Kind.INT), "a"),)), Prototype("f", None, ())
    kept = {find_target(target): {Sort.PROTOTYPES: (call,), Sort.RECORDS: (record,)} for target in TARGETS}
    plan = msgspec.structs.replace(NIGHT, examples=True)
    done = list(jobs(plan, frozenset(), 1, Limits(), kept))
    early = [job for job in done if job.number < 0]
    assert done[: len(early)] == early
    assert {(job.target.spelling, question) for job in early for question in job.questions} == {
        (target, question) for target in TARGETS for question in (record, call)
    }
    assert numbers(plan) == numbers(PLAN)


def test_shards_divide_it() -> None:
    shards = [msgspec.structs.replace(NIGHT, shard=(k, 3)) for k in (1, 2, 3)]
    assert sorted(one for plan in shards for one in numbers(plan)) == sorted(numbers(NIGHT))


def test_what_is_done_is_not_done_again_and_all_is_counted() -> None:
    whole = list(jobs(NIGHT, frozenset(), 1, Limits()))
    asked = {
        BatchKey(job.target.spelling, subject.spelling, level, job.sort, job.number)
        for job in whole
        for subject, level in job.subjects
    }
    assert len(asked) == total_batches(NIGHT)
    assert not list(jobs(NIGHT, frozenset(asked), 1, Limits()))


@pytest.mark.parametrize("sort", SORTS)
def test_all_parts_are_the_whole(sort: Sort) -> None:
    target = find_target("x86_64-ms")
    parts = [small_scope.part(target, sort, number) for number in range(small_scope.parts(target, sort))]
    early, late = small_scope.ordered(target, sort)
    assert tuple(question for part in parts for question in part) == (*early, *late)
    assert all(0 < len(part) <= BATCH for part in parts)


def test_every_clause_of_an_answer_occurs_in_the_covering_array() -> None:
    target = find_target("i386-sysv")
    meets = small_scope.meets(target.model())
    for sort in SORTS:
        early, late = small_scope.ordered(target, sort)
        said = frozenset().union(*(meets(question).traits for question in (*early, *late)))
        assert said == frozenset().union(*(meets(question).traits for question in early))
        assert any("i386:" in one for one in said)


def test_a_call_is_about_its_last_named_parameter_where_that_is_on_the_stack() -> None:
    about = Record("S", (Member(Scalar(Kind.CHAR), "", width=7),))
    fillers = (Param("i0", Scalar(Kind.LLONG)),)
    asked = Prototype("f", None, (*fillers, Param(NAMED, about)), variadic=True, unnamed=(INT,))
    other = Prototype("f", None, fillers, variadic=True, unnamed=(about, INT))
    assert list(small_scope.types(asked)) == list(small_scope.types(other)) == [about]
    assert small_scope.role(asked) == "named  2"
    assert small_scope.role(other) == "unnamed  1"


def test_a_call_is_about_what_it_takes_and_gives_back() -> None:
    about = Record("S", (Member(Scalar(Kind.FLOAT), "a"), Member(INT, "b", width=3)))
    asked = Prototype("f", about, (Param("r", about), *BEHIND))
    assert list(small_scope.types(asked)) == [about]
    assert small_scope.role(asked) == "both  3"
    assert small_scope.whole(asked)
    assert not small_scope.whole(Prototype("f", about, ()))


@pytest.mark.parametrize("target", TARGETS)
def test_a_parameter_with_unused_bits_is_read_through_a_conversion(target: str) -> None:
    where, sort = find_target(target), Sort.SMALL_CALLS
    batches = [
        small_scope.part(where, sort, number) for number in range(small_scope.first_parts(where, sort))
    ]
    asked = [one for batch in batches for one in batch if isinstance(one, Prototype)]
    narrow = [one for one in asked if any(isinstance(param.type, BitInt) for param in one.params)]
    assert narrow
    assert {manner_of(probe(one).id) for one in narrow} == {Manner.CONVERTED}
    assert {one.name for one in asked if not any(map(small_scope.has_bits_above, one.params))} == {"f"}

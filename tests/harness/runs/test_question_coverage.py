"""A tour is two batches, of which a subject is one row; what it lacks types for is not what it was not asked."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from abiprobe.harness.runs import schedule, tours
from abiprobe.harness.runs.question_coverage import tour_coverage
from abiprobe.harness.runs.question_sorts import subjects_of, targets_of
from abiprobe.harness.runs.schedule import TOUR_PARTS, total_batches, tour_jobs
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Plan, Run
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

TARGET = "x86_64-ms"
PLAN = Plan(1, 1, ("riscv32-ilp32e", TARGET), ("clang", "gcc"), ("O0",), tours=True)
HEADER = Header(1, "", "", PLAN, ())


def done(number: int, signatures: tuple[Prototype, ...], lacking: tuple[Prototype, ...] = ()) -> BatchDone:
    """A batch of a tour, all of which agrees but what the compiler lacks types for."""
    verdicts = (
        Verdict(probe(one).id, ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.UNSUPPORTED)
        if one in lacking
        else Verdict(probe(one).id, ProbeKind.CALLER, Judgement.AGREES)
        for one in signatures
    )
    return BatchDone(BatchKey(TARGET, "clang", "O0", Sort.TOURS, number), len(signatures), tuple(verdicts))


def crossed(signature: Prototype) -> set[tuple[str, int]]:
    """What a signature of the tour crosses."""
    return {
        (part.mode, number)
        for part in tours.parts(find_target(TARGET))
        for one, numbers in zip(part.signatures, part.crossed, strict=True)
        if one == signature
        for number in numbers
    }


def indispensable() -> tuple[Prototype, ...]:
    """The signatures that cross what no other does."""
    asked = tours.questions(find_target(TARGET))
    count = Counter(number for one in asked for number in crossed(one))
    return tuple(one for one in asked if any(count[number] == 1 for number in crossed(one)))


def test_the_parts_of_a_tour_are_all_of_it() -> None:
    jobs = list(
        tour_jobs(PLAN, find_target(TARGET), PLAN.levels, (parse_subject("clang"),), frozenset(), 1, Limits())
    )
    assert len(jobs) == len({job.number for job in jobs}) == TOUR_PARTS
    asked = [question for job in jobs for question in job.questions]
    assert sorted(map(str, asked)) == sorted(map(str, tours.questions(find_target(TARGET))))
    first = tour_jobs(
        PLAN, find_target("riscv32-ilp32e"), PLAN.levels, (parse_subject("clang"),), frozenset(), 1, Limits()
    )
    assert not {job.number for job in first} & {job.number for job in jobs}


def test_every_part_of_a_tour_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        schedule, "subjects_by_target", lambda plan: dict.fromkeys(targets_of(plan), subjects_of(plan))
    )
    without = msgspec.structs.replace(PLAN, tours=False)
    # Two parts of the calls and of the records of the small scope come with them.
    parts = (TOUR_PARTS + 2 * 2) * len(PLAN.targets) * len(PLAN.subjects)
    assert total_batches(PLAN) - total_batches(without) == parts


def test_a_subject_is_a_row() -> None:
    asked = tours.questions(find_target(TARGET))
    run = Run(HEADER, (done(2, asked[::2]), done(3, asked[1::2])), None)
    (row,) = tour_coverage(run)
    assert row.observed == row.signatures == len(asked)
    assert row.crossed == row.transitions > 0
    assert not row.lacks


def test_what_a_compiler_lacks_is_told_apart_from_what_it_was_not_asked() -> None:
    lacking, skipped, *_ = indispensable()
    asked = tuple(one for one in tours.questions(find_target(TARGET)) if one != skipped)
    run = Run(HEADER, (done(2, asked, (lacking,)),), None)
    (row,) = tour_coverage(run)
    (whole,) = tour_coverage(Run(HEADER, (done(2, tours.questions(find_target(TARGET))),), None))
    assert row.lacks > 0
    assert row.transitions == whole.transitions - row.lacks
    assert row.crossed < row.transitions

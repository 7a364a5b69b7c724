"""What any observer records is judged as it was, from the record alone, and compilers are compared by it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators import simd
from abiprobe.generators.pool import stream
from abiprobe.harness.nights.abi_breaks import breaks
from abiprobe.harness.nights.rejudge import rejudge
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.recording import packed_digests, unpacked, unpacked_digests
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import WITNESSES, Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import SCHEMA, BatchDone, Header, Pairs, Plan, QuestionBatch, Run
from abiprobe.results.verdicts.record import Judgement, Verdict

LEVEL = "O1"
CASES = {
    "calls in programs": ("x86_64-sysv", ("gcc-12", "clang-16"), Sort.PROTOTYPES, 12),
    "calls of a library": ("x86_64-sysv", ("cffi", "ctypes"), Sort.PROTOTYPES, 12),
    "layouts of a library": ("x86_64-sysv", ("cffi", "ctypes"), Sort.RECORDS, 20),
    "vector functions": ("x86_64-vfabi", ("gcc-12", "clang-22"), Sort.VECTOR_FUNCTIONS, 6),
    "device code": ("nvptx64-cuda", ("clang-14", "clang-19"), Sort.PROTOTYPES, 12),
    "calls in assembly": ("upmem-dpu", ("standin-powerpc",), Sort.PROTOTYPES, 40),
    "layouts of a stand-in": ("upmem-dpu", ("standin-spirv32",), Sort.RECORDS, 20),
}
Recorded = Callable[[str], Run]


def drawn(sort: Sort, count: int) -> tuple[Question, ...]:
    if sort == Sort.VECTOR_FUNCTIONS:
        return tuple(islice(simd.stream(seed=4, bounds=simd.Bounds(called=1)), count))
    return tuple(islice(stream(seed=4, kind=sort), count))


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    """A run with all that its observer recorded; each is made once."""
    made: dict[str, Run] = {}

    def run(name: str) -> Run:
        target, subjects, sort, count = CASES[name]
        for one in subjects:
            if not installed(parse_subject(one), (find_target(target),)):
                pytest.skip(f"{one} is not installed for {target}")
        if name not in made:
            questions = drawn(sort, count)
            pairs = Pairs.FIRST if sort == Sort.PROTOTYPES else Pairs.NONE
            asked = tuple((one, LEVEL) for one in subjects)
            witnesses = tuple(WITNESSES.values())
            job = spelled_job(target, 0, sort, questions, asked, witnesses=witnesses, pairs=pairs, keep=True)
            plan = Plan(4, count, (target,), subjects, (LEVEL,), witnesses=witnesses, pairs=pairs)
            lines = (QuestionBatch.of(sort, 0, questions),)
            batches = tuple(sorted(run_job(job), key=lambda done: done.key))
            made[name] = Run(Header(SCHEMA, "", "", plan, ()), batches, None, lines)
        return made[name]

    return run


def by_probe(batch: BatchDone) -> set[Verdict]:
    return set(batch.verdicts)


@pytest.mark.parametrize("name", CASES)
def test_something_is_compared_and_recorded(recorded: Recorded, name: str) -> None:
    for batch in recorded(name).batches:
        assert unpacked(batch.raw).seen
    found = {verdict.verdict for batch in recorded(name).batches for verdict in batch.verdicts}
    assert Judgement.AGREES in found


@pytest.mark.parametrize("name", CASES)
def test_the_same_model_changes_nothing(recorded: Recorded, name: str) -> None:
    run = recorded(name)
    for item, batch in zip(rejudge(run, {}), run.batches, strict=True):
        assert (item.probes, item.stale) == (frozenset(), ())
        assert item.batch.verdicts == batch.verdicts


@pytest.mark.parametrize("name", CASES)
def test_every_verdict_is_reached_again_from_the_record(recorded: Recorded, name: str) -> None:
    run = recorded(name)
    forgotten = tuple(
        msgspec.structs.replace(
            batch, predicted=packed_digests(dict.fromkeys(unpacked_digests(batch.predicted), b"?"))
        )
        for batch in run.batches
    )
    found = list(rejudge(msgspec.structs.replace(run, batches=forgotten), {}))
    for item, batch in zip(found, run.batches, strict=True):
        assert len(item.probes) == batch.probes
        assert by_probe(item.batch) == by_probe(batch)
        assert (item.batch.clauses, item.batch.compared) == (batch.clauses, batch.compared)


@pytest.mark.parametrize("name", CASES)
def test_nobody_breaks_with_itself(recorded: Recorded, name: str) -> None:
    found = breaks(recorded(name), recorded(name), {})
    assert all(side.both > 0 and not side.breaks for side in found.sides)


def test_names_of_vector_functions_break(recorded: Recorded) -> None:
    run = recorded("vector functions")
    (side,) = breaks(run, run, {"gcc-12": "clang-22"}).sides
    assert {item.side for item in side.breaks} == {"object"}
    assert all(item.before != item.after for item in side.breaks)

"""Batches put to real compilers: names of every dialect, lanes on every bench, and what cannot be asked."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.simd import Bounds, stream
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.lanes import workbench as benches
from abiprobe.harness.observers.lanes.observe import ObservedFunction, observe_vectors
from abiprobe.harness.observers.lanes.plan import VectorPlan, plan_batch
from abiprobe.harness.observers.lanes.workbench import VectorBench, vector_bench
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, installed, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.language.simd import Branch, Simd
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Outcome

from .conftest import TARGET, Batch, compiler

SUBJECTS = (
    ("gcc-12", "gcc"),
    ("gcc-11", "gcc"),
    ("zig", "clang"),
    ("clang-22", "clang"),
    ("clang-15", "clang"),
    ("clang-14", "clang14"),
    ("clang-13", "clang14"),
)
BOOL = Scalar(Kind.BOOL)


def put(dialect: str, subject: str, questions: tuple[Prototype, ...], level: str = "O0") -> BatchDone:
    if not installed(parse_subject(subject), (find_target(TARGET),)):
        pytest.skip(f"{subject} is not installed for {TARGET}")
    (done,) = run_job(
        spelled_job(
            TARGETS[TARGET].in_dialect(dialect).spelling,
            0,
            Sort.VECTOR_FUNCTIONS,
            questions,
            ((subject, level),),
        )
    )
    return done


def told(done: BatchDone, kind: ProbeKind) -> Counter[Judgement]:
    return Counter(verdict.verdict for verdict in done.verdicts if verdict.kind is kind)


@pytest.mark.parametrize(
    ("subject", "dialect", "references"),
    [
        (*pair, references)
        for pair in SUBJECTS
        for references in (False, True)
        if pair[0] != "gcc-11" or not references
    ],
)
def test_names(subject: str, dialect: str, *, references: bool) -> None:
    count = 10
    questions = tuple(islice(stream(seed=11, bounds=Bounds(references=int(references))), count))
    done = put(dialect, subject, questions)
    for verdict in done.verdicts:
        if references and "cc1plus" in verdict.detail:
            pytest.skip(f"{subject}: {verdict.detail}")
    assert told(done, ProbeKind.VARIANTS) == {Judgement.AGREES: count}
    assert told(done, ProbeKind.LANES)[Judgement.DEVIATES] == 0


@pytest.mark.parametrize(("subject", "dialect"), [pair for pair in SUBJECTS if "gcc" not in pair[0]])
def test_many_names(tmp_path: Path, subject: str, dialect: str) -> None:
    plans, found = names_of(tmp_path, subject, dialect, 200)
    assert len(found) == len(plans) == 200
    assert all(
        isinstance(seen, ObservedFunction) and seen.names == plan.variants.symbols for plan, seen in found
    )


def names_of(
    folder: Path, subject: str, dialect: str, count: int
) -> tuple[tuple[VectorPlan, ...], list[tuple[VectorPlan, ObservedFunction | Failed]]]:
    """What a compiler that makes no functions names, and the model's plans."""
    built = build(parse_subject(subject), find_target(TARGET), "O0")
    if built is None:
        pytest.skip(f"{subject} is not installed for {TARGET}")
    model = TARGETS[TARGET].in_dialect(dialect).model()
    assert isinstance(model, VectorModel)
    planned = plan_batch(model, tuple(islice(stream(seed=11), count)))
    attempt = Attempt(None, built, folder, Limits())
    return planned.plans, list(observe_vectors(attempt, None, model.types, planned.plans, bodies=False))


def test_the_document_is_silent_where_it_is(tmp_path: Path) -> None:
    plans, found = names_of(tmp_path, "clang-22", "document", 60)
    assert 0 < len(plans) < 60
    other = [
        plan
        for plan, seen in found
        if isinstance(seen, ObservedFunction) and seen.names != plan.variants.symbols
    ]
    assert any("s1" in symbol for plan in other for symbol in plan.variants.symbols)


def test_a_folded_bool_is_blamed_on_the_optimiser() -> None:
    char = Scalar(Kind.UCHAR)
    question = Prototype("f", BOOL, (Param("a", char),), simd=(Simd(simdlen=16, branch=Branch.NOTINBRANCH),))
    done = put("gcc", "gcc-12", (question,), "O2")
    (lanes,) = (verdict for verdict in done.verdicts if verdict.kind is ProbeKind.LANES)
    if lanes.verdict is Judgement.DEVIATES:
        assert lanes.clause == "vfabi:lanes.concurrent"
        assert "right at -O0" in lanes.detail
    (plain,) = (
        verdict for verdict in put("gcc", "gcc-12", (question,)).verdicts if verdict.kind is ProbeKind.LANES
    )
    assert plain.verdict is Judgement.AGREES


def test_a_refused_function_costs_itself_only() -> None:
    odd = Prototype(
        "f",
        BOOL,
        (Param("a", BOOL),),
        simd=(
            Simd(
                ("a", "a"),
            ),
        ),
    )
    good = tuple(islice(stream(seed=2, bounds=Bounds(refused=False)), 3))
    done = put("gcc", compiler(), (good[0], odd, *good[1:]))
    outcomes = [verdict.outcome for verdict in done.verdicts if verdict.kind is ProbeKind.VARIANTS]
    assert Counter(outcomes) == {Outcome.OBSERVED: 3, Outcome.REFUSED: 1}


def test_a_function_without_pragma_has_nothing_to_ask() -> None:
    done = put("gcc", compiler(), (Prototype("f", BOOL, (Param("a", BOOL),)),))
    assert [verdict.outcome for verdict in done.verdicts] == [Outcome.NOTHING]


def test_qemu_runs_what_it_has_and_counts_the_rest(batch: Batch) -> None:
    if isinstance(qemu_user("x86_64"), Absent):
        pytest.skip("qemu-x86_64 is not installed")
    found = batch.run(vector_bench(emulated=True))
    assert [one.differences for one in found if one.differences != ()] == []
    assert sum(one.skipped for one in found) > 0


@pytest.mark.parametrize(
    ("flags", "isas"),
    [({"avx2", *benches.AVX512}, tuple(Isa)), ({"avx2"}, benches.MIDDLE), (set(), None)],
)
def test_the_bench_follows_the_processor(
    monkeypatch: pytest.MonkeyPatch, flags: set[str], isas: tuple[Isa, ...] | None
) -> None:
    monkeypatch.setattr(benches, "processor_flags", lambda: frozenset(flags))
    found = benches._chosen(emulated=False)[2]
    assert found == (isas or found)
    assert isas or Isa.AVX512 not in found


def test_a_bench_says_which_isas_it_runs(bench: VectorBench) -> None:
    assert bench.isas[0] is Isa.SSE

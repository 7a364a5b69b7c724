"""Variants that the document names and whose places it leaves open: compilers are held against each other by the lanes."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from abiprobe.harness.input import read
from abiprobe.harness.machines.runtime.x86 import X86_64_AVX
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lanes.cases import Case
from abiprobe.harness.observers.lanes.comparing import LaneObservation
from abiprobe.harness.observers.lanes.judging import judged
from abiprobe.harness.observers.lanes.lanes import Lanes, lane_calls
from abiprobe.harness.observers.lanes.observe import ObservedFunction
from abiprobe.harness.observers.lanes.plan import VectorPlan, planned, says
from abiprobe.harness.observers.lanes.recording import RecordedVariants
from abiprobe.harness.observers.lanes.silent import AS_READ, DEAD, read_variants
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe, ProbeKind, probe
from abiprobe.oracles.registry import find_model, find_target, readings
from abiprobe.results.coverage.differing import compare
from abiprobe.results.verdicts.readings import NONE
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from abiprobe.results.verdicts.values import Words

from .conftest import TARGET

DOCUMENT = f"{TARGET}@document"
SPLIT = "vfabi:result.split"
TEXT = "#pragma omp declare simd simdlen(8) notinbranch\nint f(int a);"
"""Under SSE the result takes two vectors, which the document does not place; under AVX2 it takes one."""
OPEN_ONE, DECIDED = "_ZGVbN8v_f", "_ZGVdN8v_f"


def function(text: str = TEXT) -> Prototype:
    return read(text, filename="t.h", triple="x86_64-linux-gnu").functions[0]


def model() -> VectorModel:
    found = find_model(DOCUMENT)
    assert isinstance(found, VectorModel)
    return found


def made_plan(text: str = TEXT) -> VectorPlan:
    asked: Probe = probe(function(text))
    plan = planned(asked, says(model(), asked))
    assert isinstance(plan, VectorPlan)
    return msgspec.structs.replace(
        plan, read=read_variants(asked, plan.variants, readings(find_target(TARGET)))
    )


def as_told(case: Case) -> LaneObservation:
    """What a variant shows that has its lanes where it was told."""
    given = case.given
    rows = tuple(tuple(param[lane] or b"" for param in given.params) for lane in given.active)
    return LaneObservation(len(given.active), rows, given.results)


def swapped(case: Case) -> LaneObservation:
    """What a variant shows that has the first two lanes of its result the wrong way round."""
    seen = as_told(case)
    first, second, *others = seen.results
    return msgspec.structs.replace(seen, results=(second, first, *others))


def verdicts(plan: VectorPlan, wrong: str = "", *, dies: bool = False) -> tuple[Verdict, ...]:
    """The verdicts on a compiler that makes the variant `wrong` wrong, or one that dies, and all others as told."""

    def seen(case: Case) -> LaneObservation | Failed:
        if not case.variant.symbol.startswith(wrong.removesuffix("f") or "none"):
            return as_told(case)
        return Failed(Outcome.DIED, "SIGSEGV") if dies else swapped(case)

    names = plan.variants.symbols
    calls = lane_calls((X86_64_AVX, (Isa.SSE, Isa.AVX2)), model().types, plan, names, [])
    lanes = Lanes(tuple((case, seen(case)) for case in calls.copied), (), 0)
    made = RecordedVariants(ObservedFunction(names, lanes, frozenset()))
    return tuple(judged(model().types, plan, made, refuses=False))


def open_one(found: Iterable[Verdict]) -> Verdict:
    (verdict,) = (one for one in found if one.kind is ProbeKind.OPEN)
    return verdict


def test_the_document_leaves_some_of_them_open() -> None:
    plan = made_plan()
    assert {plan.asked_name(one.symbol) for one in plan.read} >= {OPEN_ONE}
    assert DECIDED not in {plan.asked_name(one.symbol) for one in plan.read}


def test_who_has_the_lanes_as_gcc_reads_it_follows_gcc() -> None:
    found = verdicts(made_plan())
    told = open_one(found)
    assert (told.verdict, told.clause, told.reading) == (Judgement.UNSPECIFIED, SPLIT, "gcc")
    assert [(one.what, one.at) for one in told.shown] == [(f"lanes of {OPEN_ONE}", (Words(AS_READ),))]
    assert {one.verdict for one in found if one.kind is ProbeKind.LANES} == {Judgement.AGREES}


@pytest.mark.parametrize(
    ("dies", "place"),
    [(False, "bN8 result lane 0 elsewhere than in memory+0"), (True, DEAD)],
)
def test_who_has_them_elsewhere_differs_and_does_not_deviate(dies: bool, place: str) -> None:  # noqa: FBT001
    plan = made_plan()
    one, other = verdicts(plan), verdicts(plan, OPEN_ONE, dies=dies)
    assert open_one(other).reading == NONE
    assert not any(told.verdict is Judgement.DEVIATES for told in other)
    found = compare(DOCUMENT, plan.probe, {("right", "O2"): one, ("wrong", "O2"): other})
    assert found is not None
    assert found.what == f"lanes of {OPEN_ONE}"
    assert found.clause == SPLIT
    assert {group.place for group in found.groups} == {AS_READ, place}


def test_a_wrong_lane_that_the_document_places_deviates() -> None:
    found = verdicts(made_plan(), DECIDED)
    assert {one.verdict for one in found if one.kind is ProbeKind.LANES} == {Judgement.DEVIATES}
    assert open_one(found).reading == "gcc"


def test_where_all_is_decided_nothing_is_read() -> None:
    plan = made_plan("#pragma omp declare simd simdlen(4) notinbranch\nfloat f(float a);")
    assert plan.read == ()
    assert not any(one.kind is ProbeKind.OPEN for one in verdicts(plan))


def test_clang_is_held_against_gcc_by_what_it_passes() -> None:
    for name in ("gcc-12", "clang-22"):
        if not installed(parse_subject(name), (find_target(TARGET),)):
            pytest.skip(f"{name} is not installed")
    question = function()
    seen = on(ask(find_target(DOCUMENT), (question,), (("gcc-12", "O0"), ("clang-22", "O0"))), question)
    shown = {subject: {one.what for one in open_one(found).shown} for (subject, _), found in seen.items()}
    assert shown["clang-22"] == {f"lanes that C with vector types passes to {OPEN_ONE}"}
    assert shown["gcc-12"] > shown["clang-22"]
    found = compare(DOCUMENT, probe(question).id, seen)
    assert found is not None
    assert found.compared
    assert not found.differs

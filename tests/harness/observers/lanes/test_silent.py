"""Functions about whose variants the document is silent: each compiler shows its own, and nobody deviates."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lanes.observe import ObservedFunction
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.silent import NO_VARIANT, judged_silent, plan_silent
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import TARGETS, find_model, find_target, readings
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.coverage.differing import compare
from abiprobe.results.verdicts.readings import NONE
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown
from abiprobe.results.verdicts.values import Words
from abiprobe.results.verdicts.wording import spot_text

from .conftest import TARGET

DOCUMENT = f"{TARGET}@document"
CLAUSE = "vfabi:name.aligned-default"
TEXT = "#pragma omp declare simd inbranch aligned(a)\nvoid f(char *a);"


def function() -> Prototype:
    return read(TEXT, filename="t.h", triple="x86_64-linux-gnu").functions[0]


def planned() -> VectorPlan:
    found = plan_silent(probe(function()), Unspecified(CLAUSE, "no number"), readings(find_target(TARGET)))
    assert isinstance(found, VectorPlan)
    return found


def names(dialect: str) -> frozenset[str]:
    plan = planned()
    model = TARGETS[TARGET].in_dialect(dialect).model()
    return frozenset(model.variants(plan.function).symbols)  # type: ignore[attr-defined]  # it is a vector model


def test_the_document_leaves_it_open() -> None:
    answer = find_model(DOCUMENT).variants(function())  # type: ignore[attr-defined]  # it is a vector model
    assert isinstance(answer, Unspecified)
    assert answer.clause == CLAUSE


@pytest.mark.parametrize(("dialect", "name"), [("gcc", "_ZGVbM16v_f"), ("clang", "_ZGVbM16va16_f")])
def test_whose_names_they_are_is_told(dialect: str, name: str) -> None:
    first, *others = judged_silent(planned(), ObservedFunction(names(dialect), None))
    assert {first.verdict, *(one.verdict for one in others)} == {Judgement.UNSPECIFIED}
    assert first.reading == dialect
    shown = {one.what: spot_text(one.at[0]) for one in first.shown}
    assert shown["SSE unmasked"] == NO_VARIANT
    assert shown["SSE masked"].startswith(name.partition("M")[0])
    assert shown["SSE masked"].endswith(name.rpartition("v")[2])


def test_names_that_nobody_has_follow_no_reading() -> None:
    first = judged_silent(planned(), ObservedFunction(frozenset(), None))[0]
    assert first.reading == NONE
    assert all(isinstance(one, Shown) and one.at == (Words(NO_VARIANT),) for one in first.shown)


def test_a_refusal_is_no_silence() -> None:
    found = judged_silent(planned(), Failed(Outcome.REFUSED, "error: no"))
    assert {one.outcome for one in found} == {Outcome.REFUSED}


def test_two_compilers_are_held_against_each_other() -> None:
    for name in ("gcc-12", "zig"):
        if not installed(parse_subject(name), (find_target(TARGET),)):
            pytest.skip(f"{name} is not installed")
    asked = (("gcc-12", "O0"), ("zig", "O0"))
    question = function()
    seen = on(ask(find_target(DOCUMENT), (question,), asked), question)
    found = compare(DOCUMENT, probe(question).id, seen)
    assert found is not None
    assert found.what == "SSE masked"
    assert {(group.reading, group.subjects[0][0]) for group in found.groups} == {
        ("gcc", "gcc-12"),
        ("clang", "zig"),
    }

"""Why gcc makes nothing of a pragma: its own words, held against the model's reasons."""

from __future__ import annotations

import msgspec
import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.lanes.plan import plan_batch
from abiprobe.harness.observers.lanes.refusals import reasons
from abiprobe.oracles.abis.vfabi import length
from abiprobe.oracles.language.lang import Complex, Kind, Member, Param, Prototype, Record, Scalar, Type
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.language.simd import Branch, Linear, Simd
from abiprobe.results.verdicts.record import Judgement, Verdict

from .conftest import TARGET, compiler, model

INT, ULONG = Scalar(Kind.INT), Scalar(Kind.ULONG)
PAIR = Record("P", (Member(INT, "x"), Member(INT, "y")))


def function(result: Type | None, param: Type, **clauses: object) -> Prototype:
    simd = msgspec.structs.replace(Simd(branch=Branch.NOTINBRANCH), **clauses)
    return Prototype("f", result, (Param("a", param),), simd=(simd,))


REFUSED = {
    "unsupported return type": function(PAIR, INT),
    "unsupported return type ": function(Complex(Kind.DOUBLE), INT),
    "unsupported argument type": function(INT, PAIR),
    "unsupported argument type ": function(INT, Scalar(Kind.LDOUBLE)),
    "unsupported simdlen 3": function(INT, INT, simdlen=3),
    "unsupported simdlen 1": function(INT, INT, simdlen=1),
    "unsupported simdlen 128": function(INT, INT, simdlen=128),
    "ignoring zero linear step": function(INT, Scalar(Kind.UCHAR), linear=(Linear(("a",), 256),)),
    "ignoring large linear step": function(INT, ULONG, linear=(Linear(("a",), -1),)),
}


def put(*questions: Prototype) -> tuple[Verdict, ...]:
    (done,) = run_job(spelled_job(TARGET, 0, Sort.VECTOR_FUNCTIONS, questions, ((compiler(), "O0"),)))
    return tuple(verdict for verdict in done.verdicts if verdict.kind is ProbeKind.VARIANTS)


def test_gcc_gives_the_reasons_that_the_model_gives() -> None:
    verdicts = put(*REFUSED.values(), function(INT, INT))
    assert [verdict.detail for verdict in verdicts if verdict.verdict is not Judgement.AGREES] == []
    assert len(verdicts) == len(REFUSED) + 1


@pytest.mark.parametrize("zero_first", [True, False])
def test_of_two_reasons_gcc_gives_that_of_the_last_parameter(*, zero_first: bool) -> None:
    params = (Param("a", ULONG), Param("c", Scalar(Kind.UCHAR)))
    simd = Simd(linear=(Linear(("a",), -3), Linear(("c",), 256)), branch=Branch.NOTINBRANCH)
    question = Prototype("f", INT, params if zero_first else params[::-1], simd=(simd,))
    (plan,) = plan_batch(model(), (question,)).plans
    wanted = "ignoring zero linear step" if zero_first else "ignoring large linear step"
    assert [refusal.why for refusal in plan.variants.refusals] == [wanted]
    assert [verdict.detail for verdict in put(question)] == [""]


def test_another_reason_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(length, "LONGEST", 2)
    (verdict,) = put(function(PAIR, INT, simdlen=4))
    assert verdict.verdict is Judgement.DEVIATES
    assert "expected unsupported simdlen 4, saw unsupported return type" in verdict.detail


@pytest.mark.parametrize("why", REFUSED)
def test_the_model_s_words(why: str) -> None:
    (plan,) = plan_batch(model(), (REFUSED[why],)).plans
    assert [refusal.why.startswith(why.strip()) for refusal in plan.variants.refusals] == [True]


def test_a_warning_belongs_to_the_next_function() -> None:
    plans = plan_batch(model(), (function(INT, INT), function(INT, ULONG))).plans
    first, second = (plan.function.name for plan in plans)
    unit = f"#pragma omp declare simd\nint {first}(int a) {{ }}\n\nint {first}_sum(int a) {{ }}\n#pragma\nint {second}(int a) {{ }}"
    said = "\n".join(
        f"u.c:{line}:5: warning: {words}"
        for line, words in (
            (1, "ignoring zero linear step"),
            (2, "unsupported simdlen 12"),
            (4, "unsupported simdlen 24"),
            (5, "unsupported argument type 'struct P' for simd"),
            (6, "unused variable 'a'"),
        )
    )
    assert reasons(plans, unit, said) == [
        {"ignoring zero linear step", "unsupported simdlen 12"},
        {"unsupported argument type"},
    ]

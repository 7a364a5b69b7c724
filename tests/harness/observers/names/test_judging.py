"""What is made of the symbols that a compiler shows of an entity; no compiler is needed."""

from __future__ import annotations

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.names.judging import nearest
from abiprobe.harness.observers.names.observer import NameObserver
from abiprobe.harness.observers.names.plan import NamePlan
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.language.entities import (
    AnyEntity,
    Builtin,
    Constructor,
    Function,
    Guard,
    Named,
    PointerTo,
    Unnamed,
    Variable,
    What,
)
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.quirks.names import F_OF_NULL
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

OBSERVER = NameObserver(PredictionKey(find_target("x86_64-sysv")))
A = Named(What.STRUCT, "A")
HIDDEN = Function(Named(What.FUNCTION, "f", Named(What.NAMESPACE, Unnamed())), (), Builtin("void"))


def plan_of(entity: AnyEntity) -> NamePlan:
    found = OBSERVER.answer(probe(entity))
    assert isinstance(found, NamePlan)
    return found


def judged(entity: AnyEntity, *symbols: str) -> Verdict:
    (verdict,) = OBSERVER.judge(plan_of(entity), symbols)
    return verdict


def test_the_clause_of_the_first_piece_that_differs_is_blamed() -> None:
    assert judged(F_OF_NULL, "_Z1f2NTILDn0EE").verdict is Judgement.AGREES
    assert judged(F_OF_NULL, "_Z1f2NTILDnEE").clause == "cxxabi:name.null"
    assert judged(F_OF_NULL, "_Z1f2MTILDn0EE").clause == "cxxabi:name.source"
    assert judged(F_OF_NULL, "_Z1f2NTILDn0EEv").clause == "cxxabi:name.arguments"


def test_a_symbol_of_another_sort_is_no_answer() -> None:
    guard = Guard(Variable(Named(What.VARIABLE, "x", A)))
    missing = judged(guard, "_ZN1A1xE")
    assert (missing.verdict, missing.outcome) == (Judgement.UNOBSERVED, Outcome.UNDECODED)
    assert judged(guard, "_ZN1A1xE", "_ZGVN1A1xE").verdict is Judgement.AGREES
    assert nearest("_ZN1AC1Ev", ("_ZN1AC2Ev", "_ZTV1A", "_ZN1AD1Ev")) == "_ZN1AC2Ev"


def test_one_constructor_does_not_stand_for_another() -> None:
    base = Function(Named(What.FUNCTION, Constructor(2), A), (PointerTo(A),))
    assert judged(base, "_ZN1AC1EP1A").clause == "cxxabi:name.constructor"


def test_an_observation_can_be_kept_and_judged_again() -> None:
    plan = plan_of(F_OF_NULL)
    again = OBSERVER.replay(plan, OBSERVER.record(plan, ("_Z1f2NTILDn0EE",)), OBSERVER.fingerprint(plan))
    assert OBSERVER.judge(plan, again)[0].verdict is Judgement.AGREES
    (failed,) = OBSERVER.judge(plan, Failed(Outcome.CRASHED, "it died"))
    assert (failed.kind, failed.outcome) == (ProbeKind.NAME, Outcome.CRASHED)


def test_where_the_text_is_silent_the_readings_of_families_are_told() -> None:
    plan = plan_of(HIDDEN)
    assert plan.readings["gcc"] == plan.readings["clang"] == "_ZN12_GLOBAL__N_11fEv"
    verdict = judged(HIDDEN, "_ZN12_GLOBAL__N_11fEv")
    assert (verdict.verdict, verdict.clause) == (Judgement.UNSPECIFIED, "cxxabi:name.unnamed-namespace")
    assert verdict.reading == "clang and gcc" or verdict.reading == "gcc and clang"

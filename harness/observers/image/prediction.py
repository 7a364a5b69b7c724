"""Prediction of calls: what can be asked of compilers, and what is settled without them."""

from __future__ import annotations

from abiprobe.harness.observers.image.plan import CallPlan, TooLargeError, plan_call
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Assignment, Unspecified, Unsupported
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved


def predict_call(
    model: AbiModel,
    probe: str,
    question: Prototype,
    answer: Assignment | Unspecified | Unsupported,
    inner: Assignment | None = None,
) -> CallPlan | tuple[Verdict, ...]:
    """A call of which the model gives `answer`, ready to be asked, or the verdicts that settle it; `inner` as for `plan_call`."""
    match answer:
        case Assignment():
            try:
                return plan_call(model.types, probe, model.declared(question), answer, inner)
            except TooLargeError as error:
                return settled(probe, question, Outcome.TOO_LARGE, str(error))
            except SilentError as silence:
                return unspecified(probe, question, silence.clause, silence.why)
            except AbsentError as absence:
                return settled(probe, question, Outcome.UNSUPPORTED, str(absence))
        case Unspecified(clause, why):
            return unspecified(probe, question, clause, why)
        case Unsupported(why):
            return settled(probe, question, Outcome.UNSUPPORTED, why)


def call_kinds(function: Prototype | CxxPrototype) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a function; one of nothing returning nothing is its caller."""
    member = isinstance(function, CxxPrototype) and function.this is not None
    asked = function.params or member or function.result is None
    sides = (ProbeKind.CALLER, ProbeKind.CALLEE) if asked else ()
    unnamed = (ProbeKind.VARIADIC,) if function.unnamed else ()
    result = (ProbeKind.RESULT,) if function.result is not None else ()
    return (*sides, *unnamed, *result, ProbeKind.PRESERVATION)


def settled(
    probe: str, function: Prototype | CxxPrototype, outcome: Outcome, words: str
) -> tuple[Verdict, ...]:
    """The same lack of an observation for every kind of probe of a function."""
    return tuple(unobserved(probe, kind, outcome, words) for kind in call_kinds(function))


def unspecified(probe: str, function: Prototype | CxxPrototype, clause: str, why: str) -> tuple[Verdict, ...]:
    """The verdicts on a function that the text leaves open, by `clause`."""
    return tuple(
        Verdict(probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, clause, why)
        for kind in call_kinds(function)
    )

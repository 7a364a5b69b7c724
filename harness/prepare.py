"""Prediction of a batch: what can be asked of compilers, and what is settled without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import msgspec

from abiprobe.harness.calls.plan import CallPlan, TooLargeError, plan_call
from abiprobe.harness.layouts import LayoutPlan, plan_layout, plan_readings
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Unspecified, Unsupported
from abiprobe.oracles.question import Probe, ProbeKind, Question
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

OBJECT = (ProbeKind.LAYOUT,)
"""The witness of layouts that is always there: constants in the object file."""


class Prepared(msgspec.Struct, frozen=True):
    """A batch after prediction: what can be asked, and the verdicts that need no compiler."""

    plans: tuple[CallPlan | LayoutPlan, ...]
    settled: tuple[Verdict, ...]
    needs: dict[str, frozenset[str]]


def prepare(
    model: AbiModel,
    probes: Iterable[Probe],
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    readings: Mapping[str, AbiModel] = MappingProxyType({}),
) -> Prepared:
    """Predict the answer to every probe; those without an answer are settled here, for each of the `witnesses` of a layout.

    `readings` are the dialects to ask about a layout on which the text is silent.
    """
    plans: list[CallPlan | LayoutPlan] = []
    settled: list[Verdict] = []
    needs = {}
    for asked in probes:
        found = predict(model, asked, witnesses, readings)
        if isinstance(found, (CallPlan, LayoutPlan)):
            plans.append(found)
            needs[asked.id] = features(found.prototype if isinstance(found, CallPlan) else asked.question)
        else:
            settled += found
    return Prepared(tuple(plans), tuple(settled), needs)


def predict(
    model: AbiModel,
    asked: Probe,
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    readings: Mapping[str, AbiModel] = MappingProxyType({}),
    assign: Callable[[Prototype], Assignment | Unspecified | Unsupported] | None = None,
) -> CallPlan | LayoutPlan | tuple[Verdict, ...]:
    """What the model says, ready to be asked of compilers, or the verdicts that say why there is no such thing.

    `assign` is who remembers what the model says of calls, if anybody does.
    """
    types = model.types
    try:
        if isinstance(asked.question, Record):
            return plan_layout(types, asked.id, asked.question)
        answer = (assign or model.assign)(asked.question)
        if isinstance(answer, Assignment):
            return plan_call(types, asked.id, model.declared(asked.question), answer)
    except TooLargeError as error:
        return settle(asked, Outcome.TOO_LARGE, str(error), witnesses)
    except SilentError as silence:
        answer = Unspecified(silence.clause, silence.why)
    except AbsentError as absence:
        answer = Unsupported(str(absence))
    if isinstance(answer, Unspecified):
        if isinstance(asked.question, Record):
            tables = {name: reading.types for name, reading in readings.items()}
            plan = plan_readings(tables, asked.id, asked.question, answer)
            if plan is not None:
                return plan
        return tuple(
            Verdict(asked.id, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, answer.clause, answer.why)
            for kind in kinds(asked.question, witnesses)
        )
    return settle(asked, Outcome.UNSUPPORTED, answer.why, witnesses)


def kinds(question: Question, witnesses: tuple[ProbeKind, ...] = OBJECT) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a question; a function of nothing returning nothing is its caller.

    About a record, `witnesses` are asked. Pairs are asked of two subjects, and are not among these.
    """
    if isinstance(question, Record):
        return witnesses
    sides = (ProbeKind.CALLER, ProbeKind.CALLEE) if question.params or question.result is None else ()
    unnamed = (ProbeKind.VARIADIC,) if question.unnamed else ()
    result = (ProbeKind.RESULT,) if question.result is not None else ()
    return (*sides, *unnamed, *result, ProbeKind.PRESERVATION)


def settle(
    asked: Probe, outcome: Outcome, detail: str, witnesses: tuple[ProbeKind, ...] = OBJECT
) -> tuple[Verdict, ...]:
    """The same lack of an observation for every kind of probe of a question."""
    return tuple(unobserved(asked.id, kind, outcome, detail) for kind in kinds(asked.question, witnesses))


def asked_by(plan: CallPlan | LayoutPlan) -> Probe:
    """The probe behind a plan."""
    return Probe(plan.probe, plan.record if isinstance(plan, LayoutPlan) else plan.prototype)

"""Prediction of questions of both sorts, where it does not matter who observes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.prediction import call_kinds, predict_call
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.harness.observers.objects.prediction import OBJECT, predict_layout
from abiprobe.harness.observers.observer import Prepared, gathered
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import CXX_QUESTIONS, Probe, ProbeKind, Question
from abiprobe.oracles.model import AbiModel
from abiprobe.results.verdicts.record import Verdict


def prepare(
    model: AbiModel,
    probes: Iterable[Probe],
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    readings: Mapping[str, AbiModel] = MappingProxyType({}),
) -> Prepared[CallPlan | LayoutPlan]:
    """Predict the answer to every probe; those without an answer are settled here, for each of the `witnesses` of a layout.

    `readings` are the dialects to ask about a layout on which the text is silent.
    """
    return gathered(
        (predict(model, asked, witnesses, readings) for asked in probes),
        lambda plan: features(plan.prototype if isinstance(plan, CallPlan) else plan.record),
    )


def predict(
    model: AbiModel,
    asked: Probe,
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    readings: Mapping[str, AbiModel] = MappingProxyType({}),
) -> CallPlan | LayoutPlan | tuple[Verdict, ...]:
    """Return a plan by the model's answer, or the verdicts that say why there is none."""
    assert not isinstance(asked.question, CXX_QUESTIONS), "classes are predicted by their observer"
    if isinstance(asked.question, Record):
        return predict_layout(model, asked.id, asked.question, witnesses, readings)
    return predict_call(model, asked.id, asked.question, model.assign(asked.question))


def kinds(question: Question, witnesses: tuple[ProbeKind, ...] = OBJECT) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a question; about a record, `witnesses` are asked."""
    if isinstance(question, CXX_QUESTIONS):
        return OBJECT
    return witnesses if isinstance(question, Record) else call_kinds(question)

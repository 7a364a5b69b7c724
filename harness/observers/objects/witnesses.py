"""Observation of layouts by all witnesses: the constants in the object first, then the others for the records it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.objects.debug_info import observe_debug_info
from abiprobe.harness.observers.objects.layouts import LayoutPlan, ObservedLayout
from abiprobe.harness.observers.objects.values import observe_values
from abiprobe.harness.observers.objects.witness_questions import WitnessQuestion
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Outcome
from abiprobe.results.verdicts.witnesses import WitnessObservation

Answers: TypeAlias = Mapping[ProbeKind, WitnessObservation | Failed]
"""The answer of each witness about one record; the object is always there, and has not failed."""

Observe: TypeAlias = Callable[
    [Attempt, Sequence[WitnessQuestion]], Iterator[tuple[WitnessQuestion, WitnessObservation | Failed]]
]

OTHERS: Mapping[ProbeKind, Observe] = MappingProxyType(
    {ProbeKind.DEBUG_INFO: observe_debug_info, ProbeKind.VALUES: observe_values}
)
"""The witnesses that are heard about records of which the object has told."""


def observe_all(
    attempt: Attempt,
    answers: Iterable[tuple[LayoutPlan, ObservedLayout | Failed]],
    witnesses: Sequence[ProbeKind],
) -> Iterator[tuple[LayoutPlan, Answers | Failed]]:
    """Observe each record through `witnesses`; `answers` are those of the object, without which the others are not asked."""
    answers = list(answers)
    known = [WitnessQuestion(plan, own) for plan, own in answers if not isinstance(own, Failed)]
    others = {kind: dict(observe(attempt, kind, known)) for kind in OTHERS if kind in witnesses}
    for plan, own in answers:
        if isinstance(own, Failed):
            yield plan, own
            continue
        said = {kind: observations[plan.probe] for kind, observations in others.items()}
        yield plan, {ProbeKind.LAYOUT: WitnessQuestion(plan, own).shown, **said}


def observe(
    attempt: Attempt, kind: ProbeKind, known: Sequence[WitnessQuestion]
) -> Iterator[tuple[str, WitnessObservation | Failed]]:
    """Observe each record through one witness, by probe."""
    obstacle = why_unavailable(attempt, kind)
    if obstacle:
        yield from ((each.plan.probe, Failed(Outcome.UNSUPPORTED, obstacle)) for each in known)
        return
    for each, said in OTHERS[kind](attempt, known):
        yield each.plan.probe, said


def why_unavailable(attempt: Attempt, kind: ProbeKind) -> str:
    """Return the reason why a witness cannot be asked at all, or an empty string."""
    if attempt.built.language:
        return "in its language only constants are tested"
    if kind is ProbeKind.DEBUG_INFO and attempt.built.plain:
        return "it is run for object files only"
    if kind is ProbeKind.DEBUG_INFO and {"-S", "-ptx"} & set(attempt.built.command):
        return "it writes text, and no DWARF that can be read"
    if kind is ProbeKind.DEBUG_INFO and attempt.bench is not None and attempt.bench.machine.signatures:
        return "the DWARF of WebAssembly's modules is not read"
    if kind is ProbeKind.VALUES and attempt.bench is None:
        return attempt.built.no_calls or "nothing here runs its programs"
    return ""


def observations(answers: Answers) -> dict[ProbeKind, WitnessObservation]:
    """Return the observations of the witnesses that have not failed."""
    return {kind: said for kind, said in answers.items() if not isinstance(said, Failed)}

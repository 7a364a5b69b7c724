"""Verdicts on classes from the observations of a compiler."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.observers.classes.observing import ClassObservation
from abiprobe.harness.observers.classes.plan import ClassPlan, Fact, Numbered, numbered
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.locations import BITS, BYTES, Named
from abiprobe.results.verdicts.readings import left_open
from abiprobe.results.verdicts.record import Difference, Shown, Verdict, from_differences
from abiprobe.results.verdicts.values import BitRange


def differences(facts: Sequence[Fact], shows: ClassObservation) -> tuple[Difference, ...]:
    """The facts that are not as predicted, each before those that follow from it."""
    return tuple(
        Difference("object", fact.what, unit_of(fact.value), fact.value, seen, fact.clause)
        for fact in facts
        if fact.what in shows and (seen := numbered(fact.what, shows[fact.what])) != fact.value
    )


def unit_of(value: Numbered) -> Named:
    """Return the unit in which a number is counted."""
    return BITS if isinstance(value, BitRange) else BYTES


def judge_class(plan: ClassPlan, shows: ClassObservation) -> Verdict:
    """The verdict on what a compiler shows of a class."""
    if plan.silence is None:
        return from_differences(plan.probe, ProbeKind.LAYOUT, differences(plan.facts, shows))
    followed = [name for name, facts in plan.readings.items() if not differences(facts, shows)]
    verdict = left_open(plan.probe, ProbeKind.LAYOUT, plan.silence, followed, compared=bool(plan.readings))
    return msgspec.structs.replace(
        verdict, shown=tuple(Shown(what, (numbered(what, told),)) for what, told in shows.items())
    )

"""From what a compiled caller and callee showed to verdicts, one for each kind of probe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.prediction import call_kinds, settled
from abiprobe.oracles.lang import Record, Type, strip
from abiprobe.oracles.place import Passing
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.judge import (
    judge_callee,
    judge_caller,
    judge_preservation,
    judge_result,
    judge_variadic,
)
from abiprobe.results.observations import ObservedCallee, ObservedCaller, Turn
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

A = TypeVar("A", ObservedCaller, ObservedCallee)
UNASKED = frozenset({Outcome.NOT_RUN, Outcome.ASKED_OTHERWISE})
"""No fault of the program: nobody has asked it."""


def judged_call(plan: CallPlan, seen: ObservedCall | Failed) -> tuple[Verdict, ...]:
    """The verdicts on the kinds of probe of one prototype."""
    if isinstance(seen, Failed):
        return settled(plan.probe, plan.prototype, seen.outcome, seen.words)
    passing = answered(plan, seen.passing or seen.callers)
    callers, callees = answered(plan, seen.callers), answered(plan, seen.callees)
    return tuple(
        judge_failed(plan, seen, kind)
        or judge_answers(plan, kind, passing if kind is ProbeKind.CALLER else callers, callees)
        for kind in call_kinds(plan.prototype)
    )


def judge_failed(plan: CallPlan, seen: ObservedCall, kind: ProbeKind) -> Verdict | None:
    """The verdict on a kind of probe that lacks an answer; a program that died on conforming input deviates."""
    failed = next((answer for answer in used(seen, kind) if isinstance(answer, Failed)), None)
    if failed is None:
        return None
    if kind is ProbeKind.PRESERVATION or failed.outcome in UNASKED:
        return unobserved(plan.probe, kind, failed.outcome, failed.words)
    return died(plan, seen, kind, failed)


def judge_answers(
    plan: CallPlan,
    kind: ProbeKind,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> Verdict:
    """The verdict on one kind of probe whose answers are all there."""
    arguments, named = plan.assignment.params, len(plan.prototype.params)
    match kind:
        case ProbeKind.CALLER:
            return judge_caller(plan.probe, arguments[:named], callers)
        case ProbeKind.CALLEE:
            return judge_callee(plan.probe, arguments[:named], callees)
        case ProbeKind.VARIADIC:
            return judge_variadic(plan.probe, arguments, named, callers, callees)
        case ProbeKind.RESULT:
            assert plan.assignment.result is not None
            return judge_result(plan.probe, plan.assignment.result, callers, callees)
        case ProbeKind.PRESERVATION:
            return judge_preservation(plan.probe, callers, callees)
        case _:
            raise AssertionError(f"a call of a program is not judged by {kind.value}")


def used(seen: ObservedCall, kind: ProbeKind) -> tuple[ObservedCaller | ObservedCallee | Failed, ...]:
    """The answers that a kind of probe looks at."""
    match kind:
        case ProbeKind.CALLER:
            return seen.passing or seen.callers
        case ProbeKind.CALLEE:
            return seen.callees
        case _:
            return (*seen.callers, *seen.callees)


def answered(plan: CallPlan, answers: Sequence[A | Failed]) -> tuple[tuple[Turn, A], ...]:
    """The turns that were observed, with what was seen."""
    pairs = zip(plan.turns, answers, strict=True)
    return tuple((turn, answer) for turn, answer in pairs if not isinstance(answer, Failed))


def clause_by_reference(plan: CallPlan) -> str:
    """The clause of the first value that goes by reference, or of the first record with bytes, or of the first value."""
    passed = [
        (place, one.type) for place, one in zip(plan.assignment.params, plan.prototype.arguments, strict=True)
    ]
    if plan.assignment.result is not None and plan.prototype.result is not None:
        passed.append((plan.assignment.result, plan.prototype.result))
    ordered = sorted(
        passed,
        key=lambda item: (item[0].passing is not Passing.INDIRECT, not (is_record(item[1]) and item[0].size)),
    )
    return ordered[0][0].clause if ordered else ""


def is_record(c_type: Type) -> bool:
    """Whether a type is a struct or union."""
    return isinstance(strip(c_type), Record)


def died(plan: CallPlan, seen: ObservedCall, kind: ProbeKind, failed: Failed) -> Verdict:
    """The verdict on a program that did not survive a call made as the text says.

    A callee that dies shows no place; its own compiler's caller tells which rule that compiler reads otherwise.
    Failing that, an address that is looked for elsewhere is what kills a program: that of a value which goes by reference,
    or else that of a record, which the compiler may take to go so.
    """
    caller = judge_caller(plan.probe, plan.assignment.params, answered(plan, seen.callers))
    clause = caller.clause or clause_by_reference(plan)
    return Verdict(
        plan.probe, kind, Judgement.DEVIATES, Outcome.DIED, clause, f"the program died: {failed.words}"
    )

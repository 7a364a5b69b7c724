"""From what a compiler showed to verdicts, one for each kind of probe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, assert_never

from abiprobe.harness.calls import CallPlan
from abiprobe.harness.layouts import LayoutPlan, LayoutSeen
from abiprobe.harness.notes import note_call, note_layout
from abiprobe.harness.observe import Attempt, CallSeen, Failed, observe_calls, observe_layouts
from abiprobe.harness.prepare import asked_by, kinds, settle
from abiprobe.oracles.place import Passing
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.journal import Observed
from abiprobe.results.judge import (
    CalleeSeen,
    CallerSeen,
    Turn,
    judge_callee,
    judge_caller,
    judge_layout,
    judge_result,
)
from abiprobe.results.record import Judgement, Outcome, Verdict

A = TypeVar("A", CallerSeen, CalleeSeen)


def judged(
    attempt: Attempt, plans: Sequence[CallPlan | LayoutPlan], text: str | None
) -> Iterator[tuple[tuple[Verdict, ...], Observed | None]]:
    """Observe and judge plans of one sort: the verdicts on each, and what was observed."""
    layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
    calls = [plan for plan in plans if isinstance(plan, CallPlan)]
    for layout, seen in observe_layouts(attempt, layouts, text):
        yield (
            judged_layout(layout, seen),
            None if isinstance(seen, Failed) else note_layout(layout.probe, seen),
        )
    for call, answers in observe_calls(attempt, calls, text):
        yield judged_call(call, answers), None if isinstance(answers, Failed) else note_call(call, answers)


def judged_layout(plan: LayoutPlan, seen: LayoutSeen | Failed) -> tuple[Verdict, ...]:
    """The verdict on one layout."""
    if isinstance(seen, Failed):
        return settle(asked_by(plan), seen.outcome, seen.words)
    return (judge_layout(plan.probe, plan.predicted, seen.size, seen.align, seen.places),)


def judged_call(plan: CallPlan, seen: CallSeen | Failed) -> tuple[Verdict, ...]:
    """The verdicts on the kinds of probe of one prototype."""
    if isinstance(seen, Failed):
        return settle(asked_by(plan), seen.outcome, seen.words)
    return tuple(judge_kind(plan, seen, kind) for kind in kinds(plan.prototype))


def judge_kind(plan: CallPlan, seen: CallSeen, kind: ProbeKind) -> Verdict:
    """The verdict on one kind of probe; a program that died on conforming input deviates."""
    used = {
        ProbeKind.CALLER: seen.callers,
        ProbeKind.CALLEE: seen.callees,
        ProbeKind.RESULT: (*seen.callers, *seen.callees),
    }
    failed = next((answer for answer in used[kind] if isinstance(answer, Failed)), None)
    if failed is not None:
        return died(plan, seen, kind, failed)
    callers, callees = answered(plan, seen.callers), answered(plan, seen.callees)
    match kind:
        case ProbeKind.CALLER:
            return judge_caller(plan.probe, plan.assignment.params, callers)
        case ProbeKind.CALLEE:
            return judge_callee(plan.probe, plan.assignment.params, callees)
        case ProbeKind.RESULT:
            assert plan.assignment.result is not None
            return judge_result(plan.probe, plan.assignment.result, callers, callees)
        case ProbeKind.LAYOUT:
            raise AssertionError("a layout is not judged from calls")
        case _:
            assert_never(kind)


def answered(plan: CallPlan, answers: Sequence[A | Failed]) -> tuple[tuple[Turn, A], ...]:
    """The turns that were observed, with what was seen."""
    pairs = zip(plan.turns, answers, strict=True)
    return tuple((turn, answer) for turn, answer in pairs if not isinstance(answer, Failed))


def died(plan: CallPlan, seen: CallSeen, kind: ProbeKind, failed: Failed) -> Verdict:
    """The verdict on a program that did not survive a call made as the text says.

    A callee that dies shows no place; its own compiler's caller tells which rule that compiler reads otherwise.
    Failing that, an address that is looked for elsewhere is what kills a program.
    """
    caller = judge_caller(plan.probe, plan.assignment.params, answered(plan, seen.callers))
    passed = (*plan.assignment.params, *(() if plan.assignment.result is None else (plan.assignment.result,)))
    by_reference = sorted(passed, key=lambda item: item.passing is not Passing.INDIRECT)
    clause = caller.clause or (by_reference[0].clause if by_reference else "")
    return Verdict(
        plan.probe, kind, Judgement.DEVIATES, Outcome.DIED, clause, f"the program died: {failed.words}"
    )

"""Verdicts on a compiled caller and callee, one for each kind of probe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.observe import ObservedCall
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.prediction import call_kinds, settled
from abiprobe.oracles.language.lang import Record, Type, strip
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Files, Passing
from abiprobe.results.verdicts.judge import (
    judge_callee,
    judge_caller,
    judge_preservation,
    judge_result,
    judge_variadic,
)
from abiprobe.results.verdicts.observations import ObservedCallee, ObservedCaller, Turn
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, unobserved
from abiprobe.results.verdicts.shifting import OnBothSides, blame_shifts, misread_on

A = TypeVar("A", ObservedCaller, ObservedCallee)
UNASKED = frozenset({Outcome.NOT_RUN, Outcome.ASKED_OTHERWISE, Outcome.UNSUPPORTED})
"""No fault of the program: nobody has asked it."""


def judged_call(plan: CallPlan, seen: ObservedCall | Failed, files: Files) -> tuple[Verdict, ...]:
    """The verdicts on the kinds of probe of one prototype, on a machine whose registers have these files."""
    if isinstance(seen, Failed):
        return settled(plan.probe, plan.prototype, seen.outcome, seen.words)
    passing = answered(plan, seen.passing or seen.callers)
    callers, callees = answered(plan, seen.callers), answered(plan, seen.callees)
    returned = partial(judge_returned, plan, callers, callees)
    both = partial(both_sides, plan, passing, callees)
    blamed = partial(shifts_blamed, plan, files, returned, both)
    return tuple(
        judge_failed(plan, seen, kind, returned, blamed)
        or blamed(judge_answers(plan, kind, passing if kind is ProbeKind.CALLER else callers, callees))
        for kind in call_kinds(plan.prototype)
    )


Returned: TypeAlias = Callable[[], Verdict | None]
"""Judges the result by those sides of a call that lived; it is asked only where something deviates."""
Blamed: TypeAlias = Callable[[Verdict], Verdict]
"""Blames what shifts the arguments of a verdict."""
ARGUMENTS = frozenset({ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.VARIADIC})
"""The kinds of probe that ask for arguments."""


def judge_returned(
    plan: CallPlan,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> Verdict | None:
    """The verdict on the result by those sides of the call that lived; none without a result."""
    result = plan.assignment.result
    return None if result is None else judge_result(plan.probe, result, callers, callees)


def both_sides(
    plan: CallPlan,
    callers: tuple[tuple[Turn, ObservedCaller], ...],
    callees: tuple[tuple[Turn, ObservedCallee], ...],
) -> tuple[Difference, ...]:
    """Return the arguments that those sides of a call that survived have elsewhere."""
    arguments, named = plan.assignment.params, len(plan.prototype.params)
    passed = judge_caller(plan.probe, arguments[:named], callers)
    read = judge_callee(plan.probe, arguments[:named], callees)
    unnamed = judge_variadic(plan.probe, arguments, named, callers, callees)
    return (*passed.differences, *read.differences, *unnamed.differences)


def shifts_blamed(
    plan: CallPlan, files: Files, returned: Returned, both: OnBothSides, verdict: Verdict
) -> Verdict:
    """A verdict on arguments that blames what shifts them, and any other as it is."""
    if verdict.kind not in ARGUMENTS or verdict.verdict is not Judgement.DEVIATES:
        return verdict
    params, result = plan.assignment.params, plan.assignment.result
    return blame_shifts(verdict, params, result, misread_on(returned()), files, both)


def judge_failed(
    plan: CallPlan, seen: ObservedCall, kind: ProbeKind, returned: Returned, blamed: Blamed
) -> Verdict | None:
    """The verdict on a kind of probe that lacks an answer; a program that died on conforming input deviates."""
    failed = next((answer for answer in used(seen, kind) if isinstance(answer, Failed)), None)
    if failed is None:
        return None
    if kind is ProbeKind.PRESERVATION or failed.outcome in UNASKED:
        return unobserved(plan.probe, kind, failed.outcome, failed.words)
    return died(plan, seen, kind, failed, returned, blamed)


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
    """Return the answers that matter for a kind of probe; subjects without callbacks are judged by their callers only."""
    match kind:
        case ProbeKind.CALLER:
            return seen.passing or seen.callers
        case ProbeKind.CALLEE:
            return seen.callees
        case _:
            return (*seen.callers, *filter(is_there, seen.callees))


def is_there(answer: ObservedCallee | Failed) -> bool:
    """Return whether a callee could be asked at all: a language may be able to call a function that it cannot define."""
    return not isinstance(answer, Failed) or answer.outcome is not Outcome.UNSUPPORTED


def answered(plan: CallPlan, answers: Sequence[A | Failed]) -> tuple[tuple[Turn, A], ...]:
    """The turns that were observed, with what was seen; none of a side that is not looked at."""
    pairs = zip(plan.turns, answers, strict=True) if answers else ()
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
    """Return whether a type is a struct or union."""
    return isinstance(strip(c_type), Record)


def died(
    plan: CallPlan,
    seen: ObservedCall,
    kind: ProbeKind,
    failed: Failed,
    returned: Returned,
    blamed: Blamed,
) -> Verdict:
    """The verdict on a program that did not survive a call made as the text says.

    A callee that dies shows no place; its own compiler's caller tells which rule that compiler reads otherwise, of the
    arguments or of the result. Failing that, an address that is looked for elsewhere is what kills a program: that of a value which goes by reference,
    or else that of a record, which the compiler may take to go so.
    """
    caller = blamed(judge_caller(plan.probe, plan.assignment.params, answered(plan, seen.callers)))
    result = returned()
    elsewhere = result.clause if result is not None and misread_on(result) else ""
    clause = caller.clause or elsewhere or clause_by_reference(plan)
    return Verdict(
        plan.probe, kind, Judgement.DEVIATES, Outcome.DIED, clause, f"the program died: {failed.words}"
    )

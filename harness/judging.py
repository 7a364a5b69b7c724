"""From what a compiler showed to verdicts, one for each kind of probe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, assert_never

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.foreign.observing import observe_foreign
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.nights.tape import Tape
from abiprobe.harness.notes import note_call, note_layout
from abiprobe.harness.observe import Attempt, CallSeen, Failed, observe_calls
from abiprobe.harness.prepare import OBJECT, asked_by, kinds, settle
from abiprobe.harness.standins.reading import judged_by_assembly
from abiprobe.harness.stopwatch import stage
from abiprobe.harness.witnesses.hearing import Heard, hear, testimony
from abiprobe.oracles.place import Passing, Unspecified
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.journal import Observed
from abiprobe.results.judge import (
    judge_callee,
    judge_caller,
    judge_layout,
    judge_preservation,
    judge_result,
    judge_variadic,
)
from abiprobe.results.readings import judge_reading
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved
from abiprobe.results.seen import CalleeSeen, CallerSeen, Turn
from abiprobe.results.witnesses import Shown, judge_debug_info, judge_values

A = TypeVar("A", CallerSeen, CalleeSeen)
UNASKED = frozenset({Outcome.NOT_RUN, Outcome.ASKED_OTHERWISE})
"""No fault of the program: nobody has asked it."""


def judged(
    attempt: Attempt,
    plans: Sequence[CallPlan | LayoutPlan],
    text: str | None,
    witnesses: tuple[ProbeKind, ...] = OBJECT,
    tape: Tape | None = None,
) -> Iterator[tuple[tuple[Verdict, ...], Observed | None]]:
    """Observe and judge plans of one sort: the verdicts on each, and what was observed; `tape` keeps all of it."""
    layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
    calls = [plan for plan in plans if isinstance(plan, CallPlan)]
    yield from _layouts(attempt, layouts, text, witnesses, tape)
    if (attempt.built.standin or attempt.built.assembly) and calls:
        yield from ((answers, None) for answers in judged_by_assembly(attempt, calls))
    else:
        yield from _calls(attempt, calls, text, tape)


def _layouts(
    attempt: Attempt,
    plans: Sequence[LayoutPlan],
    text: str | None,
    witnesses: tuple[ProbeKind, ...],
    tape: Tape | None,
) -> Iterator[tuple[tuple[Verdict, ...], Observed | None]]:
    heard = list(hear(attempt, plans, text, witnesses))
    # A stage for each question would be a twentieth of our time.
    with stage("judge"):
        told = [
            settle(asked_by(plan), said.outcome, said.words, witnesses)
            if isinstance(said, Failed)
            else judged_layout(plan, said, witnesses)
            for plan, said in heard
        ]
    for (plan, said), verdicts in zip(heard, told, strict=True):
        if isinstance(said, Failed):
            yield verdicts, None
            continue
        if tape is not None:
            tape.keep_layout(plan.probe, said)
        yield verdicts, note_layout(plan.probe, testimony(said)) if attempt.observe else None


def _calls(
    attempt: Attempt, plans: Sequence[CallPlan], text: str | None, tape: Tape | None
) -> Iterator[tuple[tuple[Verdict, ...], Observed | None]]:
    seen = list(
        observe_foreign(attempt, plans) if attempt.built.library else observe_calls(attempt, plans, text)
    )
    with stage("judge"):
        told = [judged_call(plan, answers) for plan, answers in seen]
    for (plan, answers), verdicts in zip(seen, told, strict=True):
        if isinstance(answers, Failed):
            yield verdicts, None
            continue
        if tape is not None:
            tape.keep_call(plan.probe, answers.answers)
        yield verdicts, note_call(plan, answers) if attempt.observe else None


def judged_layout(plan: LayoutPlan, heard: Heard, witnesses: tuple[ProbeKind, ...]) -> tuple[Verdict, ...]:
    """The verdicts on one layout, one for each witness."""
    return tuple(judge_witness(plan, heard, kind) for kind in witnesses)


def judge_witness(plan: LayoutPlan, heard: Heard, kind: ProbeKind) -> Verdict:
    """The verdict on what one witness of a layout says; running code that died deviates."""
    said = heard[kind]
    shown = testimony(heard)
    if isinstance(said, Failed) and said.outcome is Outcome.DIED:
        words = f"the program died: {said.words}"
        return Verdict(plan.probe, kind, Judgement.DEVIATES, said.outcome, plan.predicted.clause, words)
    if isinstance(said, Failed):
        return unobserved(plan.probe, kind, said.outcome, said.words)
    if plan.silence is not None:
        return judge_silent(plan, plan.silence, said, kind)
    match kind:
        case ProbeKind.LAYOUT:
            assert said.align is not None, "an object always tells the alignment"
            return judge_layout(plan.probe, plan.predicted, said.size, said.align, said.places)
        case ProbeKind.DEBUG_INFO:
            return judge_debug_info(plan.probe, plan.predicted, shown)
        case ProbeKind.VALUES:
            return judge_values(plan.probe, plan.predicted, shown)
        case _:
            raise AssertionError("a call is no witness of a layout")


def judge_silent(plan: LayoutPlan, silence: Unspecified, said: Shown, kind: ProbeKind) -> Verdict:
    """The verdict on a witness of a layout that the text leaves open: whose reading the object follows."""
    if kind is ProbeKind.LAYOUT and said.align is not None:
        return judge_reading(plan.probe, silence, plan.readings, (said.size, said.align, said.places))
    return Verdict(plan.probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, silence.clause, silence.why)


def judged_call(plan: CallPlan, seen: CallSeen | Failed) -> tuple[Verdict, ...]:
    """The verdicts on the kinds of probe of one prototype."""
    if isinstance(seen, Failed):
        return settle(asked_by(plan), seen.outcome, seen.words)
    callers, callees = answered(plan, seen.callers), answered(plan, seen.callees)
    return tuple(
        judge_failed(plan, seen, kind) or judge_answers(plan, kind, callers, callees)
        for kind in kinds(plan.prototype)
    )


def judge_kind(plan: CallPlan, seen: CallSeen, kind: ProbeKind) -> Verdict:
    """The verdict on one kind of probe."""
    answers = answered(plan, seen.callers), answered(plan, seen.callees)
    return judge_failed(plan, seen, kind) or judge_answers(plan, kind, *answers)


def judge_failed(plan: CallPlan, seen: CallSeen, kind: ProbeKind) -> Verdict | None:
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
    callers: tuple[tuple[Turn, CallerSeen], ...],
    callees: tuple[tuple[Turn, CalleeSeen], ...],
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
        case ProbeKind.PAIR:
            raise AssertionError("a pair is judged on its own")
        case ProbeKind.LAYOUT | ProbeKind.DEBUG_INFO | ProbeKind.VALUES | ProbeKind.PARAM:
            raise AssertionError("a layout is not judged from calls")
        case ProbeKind.VARIANTS | ProbeKind.LANES | ProbeKind.VECTOR_TYPES:
            raise AssertionError("vector functions are judged by themselves")
        case _:
            assert_never(kind)


def used(seen: CallSeen, kind: ProbeKind) -> tuple[CallerSeen | CalleeSeen | Failed, ...]:
    """The answers that a kind of probe looks at."""
    match kind:
        case ProbeKind.CALLER:
            return seen.callers
        case ProbeKind.CALLEE:
            return seen.callees
        case _:
            return (*seen.callers, *seen.callees)


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

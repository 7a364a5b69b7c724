"""One batch from questions to verdicts: predicted once, then put to each compiler.

A batch accounts for every probe it was given, for every subject.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, assert_never

import msgspec

from abiprobe.harness.bench import Bench, bench
from abiprobe.harness.calls import CallPlan, TooLargeError, plan_call
from abiprobe.harness.compile import Limits
from abiprobe.harness.layouts import LayoutPlan, LayoutSeen, plan_layout
from abiprobe.harness.notes import note_call, note_layout
from abiprobe.harness.observe import (
    Attempt,
    CallSeen,
    Failed,
    calls_text,
    layouts_text,
    observe_calls,
    observe_layouts,
)
from abiprobe.harness.toolchains.features import lacking
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import Record
from abiprobe.oracles.place import Assignment, Passing, Unspecified, Unsupported
from abiprobe.oracles.question import Probe, ProbeKind, Question, probe
from abiprobe.results.journal import BatchDone, BatchKey, Kept, Observed
from abiprobe.results.judge import (
    CalleeSeen,
    CallerSeen,
    Turn,
    judge_callee,
    judge_caller,
    judge_layout,
    judge_result,
)
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved

A = TypeVar("A", CallerSeen, CalleeSeen)


class Job(msgspec.Struct, frozen=True):
    """A batch of questions of one sort for one target, and the subjects (with `-O` level) to put it to.

    `observe` asks for the observations themselves beside the verdicts.
    """

    target: str
    number: int
    sort: str
    questions: tuple[Question, ...]
    subjects: tuple[tuple[str, str], ...]
    limits: Limits = Limits()
    observe: bool = False


class Prepared(msgspec.Struct, frozen=True):
    """A batch after prediction: what can be asked, and the verdicts that need no compiler."""

    plans: tuple[CallPlan | LayoutPlan, ...]
    settled: tuple[Verdict, ...]
    needs: dict[str, frozenset[str]]


def run_job(job: Job) -> list[BatchDone]:
    """Put a batch to each of its subjects. Raises `Problem` when the target cannot be run here at all."""
    here = bench(job.target)
    clock = time.process_time()
    prepared = prepare(here, job.questions)
    texts: dict[int, str] = {}
    done = []
    for name, level in job.subjects:
        answer = put(here, job, prepared, name, level, texts)
        done.append(msgspec.structs.replace(answer, own_seconds=time.process_time() - clock))
        clock = time.process_time()
    return done


def prepare(here: Bench, questions: Sequence[Question]) -> Prepared:
    """Predict every question; those without an answer are settled here."""
    plans: list[CallPlan | LayoutPlan] = []
    settled: list[Verdict] = []
    needs = {}
    for question in questions:
        asked = probe(question)
        found = predict(here, asked)
        if isinstance(found, (CallPlan, LayoutPlan)):
            plans.append(found)
            needs[asked.id] = features(question)
        else:
            settled += found
    return Prepared(tuple(plans), tuple(settled), needs)


def predict(here: Bench, asked: Probe) -> CallPlan | LayoutPlan | tuple[Verdict, ...]:
    """What the model says, ready to be asked of compilers, or the verdicts that say why there is no such thing."""
    types = here.model.types
    try:
        if isinstance(asked.question, Record):
            return plan_layout(types, asked.id, asked.question)
        answer = here.model.assign(asked.question)
        if isinstance(answer, Assignment):
            return plan_call(types, asked.id, asked.question, answer)
    except TooLargeError as error:
        return settle(asked, Outcome.TOO_LARGE, str(error))
    except SilentError as silence:
        answer = Unspecified(silence.clause, silence.why)
    except AbsentError as absence:
        answer = Unsupported(str(absence))
    if isinstance(answer, Unspecified):
        return tuple(
            Verdict(asked.id, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, answer.clause, answer.why)
            for kind in kinds(asked.question)
        )
    return settle(asked, Outcome.UNSUPPORTED, answer.why)


def kinds(question: Question) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a question; a function of nothing returning nothing is its caller."""
    if isinstance(question, Record):
        return (ProbeKind.LAYOUT,)
    sides = (ProbeKind.CALLER, ProbeKind.CALLEE) if question.params or question.result is None else ()
    return (*sides, ProbeKind.RESULT) if question.result is not None else sides


def settle(asked: Probe, outcome: Outcome, detail: str) -> tuple[Verdict, ...]:
    """The same lack of an observation for every kind of probe of a question."""
    return tuple(unobserved(asked.id, kind, outcome, detail) for kind in kinds(asked.question))


def put(here: Bench, job: Job, prepared: Prepared, name: str, level: str, texts: dict[int, str]) -> BatchDone:
    """Put a prepared batch to one subject and judge what it shows."""
    built = build(parse_subject(name), job.target, level)
    assert built is not None, "the session offers subjects that are installed for the target"
    lacks = lacking(built, identity(built.command).digest)
    able = [plan for plan in prepared.plans if not prepared.needs[plan.probe] & lacks]
    verdicts = list(prepared.settled)
    for plan in prepared.plans:
        missing = prepared.needs[plan.probe] & lacks
        if missing:
            verdicts += settle(
                asked_by(plan), Outcome.UNSUPPORTED, f"the compiler has no {', '.join(sorted(missing))}"
            )
    # A subject that can do everything shares its unit with the others that can.
    text = texts.get(len(able)) if len(able) == len(prepared.plans) else None
    if text is None and able:
        text = texts[len(able)] = unit_text(able)
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        attempt = Attempt(here, built, Path(folder), job.limits)
        notes: list[Observed] = []
        for answered_verdicts, note in judged(attempt, able, text):
            verdicts += answered_verdicts
            if job.observe and note is not None:
                notes.append(note)
    key = BatchKey(job.target, name, level, job.sort, job.number)
    return BatchDone(
        key,
        len(job.questions),
        tuple(verdicts),
        kept(job.questions, verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds,
        observed=tuple(notes),
    )


def asked_by(plan: CallPlan | LayoutPlan) -> Probe:
    """The probe behind a plan."""
    return Probe(plan.probe, plan.record if isinstance(plan, LayoutPlan) else plan.prototype)


def unit_text(plans: Sequence[CallPlan | LayoutPlan]) -> str:
    """The translation unit that asks all of `plans`, which are of one sort."""
    if isinstance(plans[0], LayoutPlan):
        return layouts_text([plan for plan in plans if isinstance(plan, LayoutPlan)])
    return calls_text([plan for plan in plans if isinstance(plan, CallPlan)])


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


def kept(questions: Iterable[Question], verdicts: Iterable[Verdict]) -> tuple[Kept, ...]:
    """The questions whose verdicts a reader will want to look into."""
    telling = {verdict.probe for verdict in verdicts if verdict.verdict is Judgement.DEVIATES}
    telling |= {
        verdict.probe for verdict in verdicts if verdict.outcome in {Outcome.REFUSED, Outcome.CRASHED}
    }
    found = (probe(question) for question in questions) if telling else ()
    return tuple(Kept(item.id, item.question) for item in found if item.id in telling)

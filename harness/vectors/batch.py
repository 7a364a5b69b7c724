"""One batch of vector functions from questions to verdicts, for each subject."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.observe import Attempt, Failed
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.features import lacking
from abiprobe.harness.toolchains.find import build, discover, identity, parse_subject
from abiprobe.harness.toolchains.subject import Built, Subject
from abiprobe.harness.vectors.bench import VectorBench, vector_bench
from abiprobe.harness.vectors.callers import caller_verdicts
from abiprobe.harness.vectors.observe import Seen, observe_vectors
from abiprobe.harness.vectors.plan import Planned, VectorPlan, plan_batch, settle
from abiprobe.harness.vectors.witness import typed_verdicts
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import DEFAULT
from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.journal import BatchDone, BatchKey
from abiprobe.results.lanes import gathered
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved
from abiprobe.results.variants import judge_names

if TYPE_CHECKING:
    from abiprobe.harness.batch import Job

PLAIN = "O0"
BODIES = "gcc"
"""The family whose compilers make the functions and not only their names."""


def asks_vectors(target: str, questions: Sequence[Question] = ()) -> bool:
    """Whether the functions of a target are vector functions; `questions` must then be prototypes."""
    model = find_target(target)[0].vectors
    return model and all(isinstance(question, Prototype) for question in questions)


def run_vectors(job: Job) -> list[BatchDone]:
    """Put a batch of vector functions to each of its subjects."""
    model = find_model(job.target, DEFAULT)
    assert isinstance(model, VectorModel), "the target asks about vector functions"
    planned = plan_batch(model, job.questions)
    done = []
    clock = time.process_time()
    for name, level in job.subjects:
        answer = put(job, model, planned, name, level, clock)
        done.append(answer)
        clock = time.process_time()
    return done


def put(job: Job, model: VectorModel, planned: Planned, name: str, level: str, clock: float) -> BatchDone:
    """Put predicted functions to one subject and judge what it shows."""
    subject = parse_subject(name)
    built = build(subject, job.target, level)
    assert built is not None, "the session offers subjects that are installed for the target"
    lacks = lacking(built, identity(built.command).digest)
    able: list[VectorPlan] = []
    verdicts = list(planned.settled)
    for plan in planned.plans:
        missing = plan.needs & lacks
        if missing:
            why = f"the compiler has no {', '.join(sorted(missing))}"
            verdicts += settle(plan, Outcome.UNSUPPORTED, why)
        else:
            able.append(plan)
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        attempt = Attempt(None, built, Path(folder), job.limits)
        here = workbench() if able else None
        bodies = subject.family.name == BODIES
        bench = here if bodies else None
        for plan, answer in observe_vectors(attempt, bench, model.types, able, bodies=bodies):
            verdicts += judged(plan, answer, refuses=model.dialect.refuses)
        plain = build(subject, job.target, PLAIN)
        if level != PLAIN and bench is not None and plain is not None:
            wrong = {one.probe for one in verdicts if one.kind is ProbeKind.LANES and one.differences}
            again = msgspec.structs.replace(attempt, built=plain)
            right = right_without_optimising(
                again, bench, model, [plan for plan in able if plan.probe in wrong]
            )
            attempt.compile_seconds, attempt.files = again.compile_seconds, again.files
            verdicts = [blamed(one) if one.probe in right else one for one in verdicts]
            verdicts += caller_verdicts(attempt, bench, model.types, able)
        partner = gcc(job.target, subject, level)
        if here is not None and partner is not None:
            other = Path(folder, "partner")
            other.mkdir()
            made = Attempt(None, partner, other, job.limits)
            verdicts += typed_verdicts(attempt, made, here, model.types, able)
            attempt.compile_seconds += made.compile_seconds
    return BatchDone(
        BatchKey(job.target, name, level, job.sort, job.number),
        len(job.questions),
        tuple(verdicts),
        (),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds,
        time.process_time() - clock,
    )


def right_without_optimising(
    attempt: Attempt, bench: VectorBench, model: VectorModel, plans: Sequence[VectorPlan]
) -> set[str]:
    """Those of the functions that the same compiler makes right without optimising: the places are not at fault."""
    return {
        plan.probe
        for plan, seen in observe_vectors(attempt, bench, model.types, plans, bodies=True)
        if isinstance(seen, Seen) and seen.lanes is not None and seen.lanes.told == ()
    }


def blamed(verdict: Verdict) -> Verdict:
    """A verdict on lanes, with the word that the optimiser is to blame."""
    if verdict.kind is not ProbeKind.LANES:
        return verdict
    return msgspec.structs.replace(
        verdict, detail=f"{verdict.detail}; the same compiler is right at -{PLAIN}: the optimiser's fault"
    )


def gcc(target: str, subject: Subject, level: str) -> Built | None:
    """The compiler that makes variants: the subject, if it is one, or else the newest gcc that is installed."""
    if subject.family.name == BODIES:
        return build(subject, target, level)
    others = (one for one in discover((target,)) if one.family.name == BODIES)
    return next((build(one, target, PLAIN) for one in others), None)


def workbench() -> VectorBench | None:
    """What runs vector functions; `None` where nothing does, and only names are compared."""
    try:
        return vector_bench()
    except Problem:
        return None


def judged(plan: VectorPlan, seen: Seen | Failed, *, refuses: bool) -> Iterator[Verdict]:
    """The verdicts on the names of one function and on its lanes; of a dialect that `refuses`, on its reasons too."""
    if isinstance(seen, Failed):
        yield from settle(plan, seen.outcome, seen.words)
        return
    own = (plan.function.name, plan.question.symbol or plan.question.name)
    reasons = seen.reasons if refuses else None
    yield judge_names(plan.probe, plan.variants, seen.names, own, reasons)
    if seen.lanes is None:
        yield unobserved(
            plan.probe,
            ProbeKind.LANES,
            Outcome.NOTHING,
            "the compiler makes names and no functions, or nothing here runs them",
        )
        return
    lanes = seen.lanes
    match lanes.told:
        case Failed(outcome=outcome, words=words):
            clause = "vfabi:call.convention"
            yield Verdict(plan.probe, ProbeKind.LANES, Judgement.DEVIATES, outcome, clause, words)
        case () if not lanes.calls:
            why = (
                f"{lanes.skipped} variants need a wider processor"
                if lanes.skipped
                else "no variant can be asked"
            )
            yield unobserved(plan.probe, ProbeKind.LANES, Outcome.NOTHING, why)
        case differences:
            note = f"{lanes.skipped} variants not run: no AVX-512 here" if lanes.skipped else ""
            yield gathered(plan.probe, differences, note)

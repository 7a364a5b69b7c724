"""One batch from questions to verdicts: predicted once, then put to each compiler.

A batch accounts for every probe it was given, for every subject.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import msgspec

from abiprobe.harness.bench import Bench, bench, no_such_vectors
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.compile import Limits
from abiprobe.harness.coverage import Deciding, Predicted, by_clause, each_with_clauses
from abiprobe.harness.judging import judged
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.nights.tape import Script, Tape, marks, packed, packed_digests
from abiprobe.harness.observe import Attempt
from abiprobe.harness.pairs import pair_verdicts
from abiprobe.harness.prepare import OBJECT, Prepared, asked_by, prepare, settle
from abiprobe.harness.problem import Problem
from abiprobe.harness.runtime.build import TABLE
from abiprobe.harness.standins import asking
from abiprobe.harness.stopwatch import RUN, Lapse, lapse, stage
from abiprobe.harness.toolchains.features import EVERYTHING, lacking
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.harness.toolchains.options import subject_options
from abiprobe.harness.toolchains.subject import Built
from abiprobe.harness.vectors.batch import asks_vectors, run_vectors
from abiprobe.harness.wording import Wording, calls_text, layouts_text
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.question import Probe, ProbeKind, Question, by_probe
from abiprobe.oracles.registry import find_model, find_readings, find_target
from abiprobe.results.journal import BatchDone, BatchKey, Kept, Observed, Pairs
from abiprobe.results.record import Judgement, Outcome, Verdict


class Job(msgspec.Struct, frozen=True):
    """A batch of questions of one sort for one target, and the subjects (with `-O` level) to put it to.

    `observe` asks for the observations themselves beside the verdicts, in the words of a report; `keep` for all that is
    needed to judge them anew. About records, all `witnesses` are asked; about prototypes, the `pairs` of subjects at one
    level are asked too.
    """

    target: str
    number: int
    sort: str
    questions: tuple[Question, ...]
    subjects: tuple[tuple[str, str], ...]
    limits: Limits = Limits()
    observe: bool = False
    witnesses: tuple[ProbeKind, ...] = OBJECT
    pairs: Pairs = Pairs.NONE
    keep: bool = False


def run_job(job: Job) -> list[BatchDone]:
    """Put a batch to each of its subjects. Raises `Problem` when calls of the target cannot be run here."""
    questions = by_probe(job.questions)
    if asks_vectors(job.target, job.questions):
        answered = (
            msgspec.structs.replace(done, kept=kept(questions, done.verdicts)) for done in run_vectors(job)
        )
        return each_with_clauses(answered, questions)
    predicted: dict[LayoutOptions, Prepared] = {}
    wordings: dict[LayoutOptions, Wording] = {}
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        for number, (name, level) in enumerate(job.subjects):
            with lapse() as used:
                subject = parse_subject(name)
                options = subject_options(subject)
                if options not in predicted:
                    predicted[options], wordings[options] = foresee(job, options, questions), Wording()
                attempt = begin(job, name, level, Path(folder), number, wordings[options])
                answer = Answer(name, level, options, attempt, used, tape=Tape() if job.keep else None)
                answers.append(put(job, predicted[options], attempt, answer))
        add_pairs(job.pairs, answers)
        mark(answers, predicted)
    deciding = {
        options: Deciding(job.target, options, questions, said(prepared.plans))
        for options, prepared in predicted.items()
    }
    return [finished(job, answer, questions, deciding[answer.options]) for answer in answers]


def foresee(job: Job, options: LayoutOptions, questions: Mapping[str, Question]) -> Prepared:
    """What the model that subjects with these options have to follow says of the questions of a batch."""
    model, readings = find_model(job.target, options), find_readings(job.target, options)
    with stage("predict"):
        return prepare(model, [Probe(*item) for item in questions.items()], job.witnesses, readings)


def said(plans: Iterable[CallPlan | LayoutPlan]) -> dict[str, Predicted]:
    """What the model said of each plan, by probe, but for those on which it is silent."""
    return {
        plan.probe: plan.assignment if isinstance(plan, CallPlan) else plan.predicted
        for plan in plans
        if isinstance(plan, CallPlan) or plan.silence is None
    }


class Answer(msgspec.Struct):
    """What one subject, at one level, has answered so far to a batch."""

    name: str
    level: str
    options: LayoutOptions
    attempt: Attempt
    used: Lapse
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    notes: list[Observed] = msgspec.field(default_factory=list)
    tape: Tape | None = None
    predictions: dict[str, bytes] = msgspec.field(default_factory=dict)


def begin(job: Job, name: str, level: str, folder: Path, number: int, wording: Wording) -> Attempt:
    """An attempt of subject number `number` of a job, with a folder and a table name of its own."""
    built = build(parse_subject(name), job.target, level)
    assert built is not None, "the session offers subjects that are installed for the target"
    own = folder / str(number)
    own.mkdir()
    table = f"{TABLE}_{number}" if job.pairs is not Pairs.NONE else TABLE
    return Attempt(None, built, own, job.limits, table, observe=job.observe, wording=wording)


def put(job: Job, prepared: Prepared, attempt: Attempt, answer: Answer) -> Answer:
    """Put a prepared batch to one subject and judge what it shows."""
    built = attempt.built
    lacks = frozenset[str]() if built.library else lacking(built, identity(built.command).digest)
    hopeless = frozenset(item for item in lacks if item.startswith(EVERYTHING))
    model = find_model(job.target, answer.options)
    able: list[CallPlan | LayoutPlan] = []
    answer.verdicts += prepared.settled
    vectors = answer.options.vectors
    built = msgspec.structs.replace(built, no_calls=built.no_calls or no_such_vectors(job.target, vectors))
    for plan in prepared.plans:
        needs = prepared.needs[plan.probe]
        asked = hindrance(built, plan, needs & lacks or hopeless) or plan
        if built.standin and not isinstance(asked, str):
            asked = asking.put(built.standin, model, plan, needs)
        if built.assembly and isinstance(asked, CallPlan) and asked.prototype.variadic:
            asked = "calls of variadic functions are not read from assembly"
        if isinstance(asked, str):
            answer.verdicts += settle(asked_by(plan), Outcome.UNSUPPORTED, asked, job.witnesses)
        else:
            able.append(asked)
    attempt.bench = None if unrun(built) or not able else workbench(job, vectors)
    for verdicts, note in judged(
        attempt, able, unit_text(able, attempt.wording, built.standin), job.witnesses, answer.tape
    ):
        answer.verdicts += verdicts
        if note is not None:
            answer.notes.append(note)
    return answer


def unrun(built: Built) -> bool:
    """Whether nothing that a subject builds is ever run."""
    return bool(built.no_calls or built.standin or built.assembly)


def add_pairs(wanted: Pairs, answers: Sequence[Answer]) -> None:
    """Let the callers of subjects call the callees of others, at one level and of one model."""
    for caller, callee in permutations(answers, 2):
        alike = (caller.level, caller.options) == (callee.level, callee.options)
        first = answers[0].name in {caller.name, callee.name}
        if alike and (wanted is Pairs.ALL or (wanted is Pairs.FIRST and first)):
            with lapse(caller.used):
                caller.verdicts += pair_verdicts(
                    caller.attempt, callee.attempt.units, callee.name, caller.tape
                )


def mark(answers: Sequence[Answer], predicted: Mapping[LayoutOptions, Prepared]) -> None:
    """Note on each tape what the model said and what was therefore asked; subjects that share a model share that."""
    known: dict[tuple[LayoutOptions, bool], tuple[dict[str, bytes], dict[str, Script]]] = {}
    for answer in answers:
        if answer.tape is None:
            continue
        bench = answer.attempt.bench
        key = (answer.options, bench is not None)
        if key not in known:
            known[key] = marks(predicted[answer.options].plans, bench)
        answer.predictions, answer.tape.scripts = known[key]


def finished(job: Job, answer: Answer, questions: Mapping[str, Question], deciding: Deciding) -> BatchDone:
    """The line of the journal for what one subject answered."""
    attempt = answer.attempt
    with lapse(answer.used), stage("clauses"):
        clauses, compared = by_clause(answer.verdicts, deciding)
    return BatchDone(
        BatchKey(job.target, answer.name, answer.level, job.sort, job.number),
        len(job.questions),
        tuple(answer.verdicts),
        kept(questions, answer.verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds + answer.used.stages.pop(RUN, 0.0),
        answer.used.own,
        observed=tuple(answer.notes),
        raw=b"" if answer.tape is None else packed(answer.tape),
        predicted=packed_digests(answer.predictions) if answer.tape is not None else b"",
        clauses=clauses,
        compared=compared,
        stages=tuple(sorted(answer.used.stages.items())),
    )


def hindrance(built: Built, plan: CallPlan | LayoutPlan, missing: frozenset[str]) -> str:
    """Why a plan cannot be put to a compiler that misses these features, or an empty string."""
    if built.no_calls and isinstance(plan, CallPlan):
        return built.no_calls
    return f"the compiler has no {', '.join(sorted(missing))}" if missing else ""


def workbench(job: Job, vectors: int) -> Bench | None:
    """What a batch needs to run programs with vectors of so many bytes, if it runs any.

    Raises `Problem` when calls cannot be run here; layouts are told without running anything, too.
    """
    if any(isinstance(question, Prototype) for question in job.questions):
        return bench(job.target, vectors)
    if ProbeKind.VALUES not in job.witnesses or not find_target(job.target)[0].machine:
        return None
    try:
        return bench(job.target, vectors)
    except Problem:
        return None


def unit_text(plans: Sequence[CallPlan | LayoutPlan], wording: Wording, standin: str = "") -> str:
    """The translation unit that asks all of `plans`, which are of one sort; subjects that can do the same share it."""
    key = (standin, *(plan.probe for plan in plans))
    if key not in wording.units:
        layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
        calls = [plan for plan in plans if isinstance(plan, CallPlan)]
        with stage("render"):
            wording.units[key] = layouts_text(layouts) if layouts else calls_text(calls, wording)
    return wording.units[key]


def kept(questions: Mapping[str, Question], verdicts: Iterable[Verdict]) -> tuple[Kept, ...]:
    """Of the questions, given by probe, those whose verdicts a reader will want to look into."""
    telling = {
        verdict.probe for verdict in verdicts if verdict.verdict is Judgement.DEVIATES or verdict.reading
    }
    broken = {Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT}
    telling |= {verdict.probe for verdict in verdicts if verdict.outcome in broken}
    return tuple(Kept(identity, question) for identity, question in questions.items() if identity in telling)

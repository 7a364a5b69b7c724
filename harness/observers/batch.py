"""One batch from questions to verdicts, whatever observes it: predicted once, then put to each subject.

A batch accounts for every probe it was given, for every subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.faults import FATAL
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.stopwatch import RUN, Lapse, lapse, stage
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.deciding import Deciding, by_clause
from abiprobe.harness.observers.observer import PairObserver, PredictionKey, Prepared
from abiprobe.harness.observers.recording import Tape, packed, packed_digests
from abiprobe.harness.observers.registry import AnyObserver, observer_of, serving
from abiprobe.harness.observers.second_opinion import SecondOpinion, laid_apart
from abiprobe.harness.observers.side_answers import Departed
from abiprobe.harness.observers.subject_dialects import SubjectDialects
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.features import EVERYTHING
from abiprobe.harness.subjects.options import options_for
from abiprobe.harness.subjects.own_quirks import chosen
from abiprobe.harness.subjects.subject import AtLevel, Subject
from abiprobe.oracles.language.question import Probe, ProbeKind, Question, Sort, by_probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import Choice
from abiprobe.oracles.quirks.versions import family
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.results.journal.journal import BatchDone, BatchKey, Kept, Observed, Pairs
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved


class Job(msgspec.Struct, frozen=True):
    """A batch of questions of one sort for one target, and the subjects, each at a level, to put it to.

    `observe` asks for the observations themselves beside the verdicts, in the words of a report; `keep` for all that is
    needed to judge them anew. About records, all `witnesses` are asked; about prototypes, the `pairs` of subjects at one
    level are asked too. `programs` are the digests of the subjects' programs, where they must be those of a run's header. `quirks` are the user's choice of
    those by which deviations are known.
    """

    target: Target
    number: int
    sort: Sort
    questions: tuple[Question, ...]
    subjects: tuple[AtLevel, ...]
    limits: Limits = Limits()
    observe: bool = False
    witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,)
    pairs: Pairs = Pairs.NONE
    keep: bool = False
    programs: tuple[str, ...] = ()
    quirks: Choice = msgspec.field(default_factory=chosen)


class SharedPrediction(msgspec.Struct):
    """An observer with the prediction that its subjects share, the clauses that decide it, and the dialects of families."""

    observer: AnyObserver
    prepared: Prepared[Any]
    deciding: Deciding
    predictions: bytes = b""
    dialects: dict[str, SubjectDialects] = msgspec.field(default_factory=dict)

    def dialects_of(self, subject: str) -> SubjectDialects:
        """The dialects of a subject, which those of its family share."""
        own = family(subject)
        if own not in self.dialects:
            self.dialects[own] = SubjectDialects(self.observer, own)
        return self.dialects[own]


class Answer(msgspec.Struct):
    """The answers so far of one subject, at one level, to a batch."""

    asked: AtLevel
    shared: SharedPrediction
    attempt: Attempt
    used: Lapse
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    notes: list[Observed] = msgspec.field(default_factory=list)
    tape: Tape | None = None


def run_job(job: Job) -> list[BatchDone]:
    """Put a batch to each of its subjects. Raises `Problem` when calls of the target cannot be run here."""
    questions = by_probe(job.questions)
    known: dict[tuple[type[AnyObserver], LayoutOptions], SharedPrediction] = {}
    answers: list[Answer] = []
    with temporary() as folder:
        asked = counted(job.subjects, f"{job.target} {job.sort}", len(job.subjects))
        for number, one in enumerate(asked):
            with lapse() as used:
                shared = serve(job, one.subject, questions, known)
                own = Path(folder, str(number))
                own.mkdir()
                paired = str(number) if job.pairs is not Pairs.NONE else ""
                attempt: Attempt = shared.observer.begin(*one, own, job.limits, paired)
                tape = Tape() if job.keep else None
                answer = Answer(one, shared, attempt, used, tape=tape)
                answers.append(observed(job, answer))
        add_pairs(job, answers)
    return [finished(job, answer, questions) for answer in answers]


def serve(
    job: Job,
    subject: Subject,
    questions: Mapping[str, Question],
    known: dict[tuple[type[AnyObserver], LayoutOptions], SharedPrediction],
) -> SharedPrediction:
    """The observer of a subject with its prediction, which subjects with the same options share."""
    options = options_for(subject, questions.values())
    chosen = serving(job.target, subject, type(job.questions[0]))
    kind = chosen or type(observer_of(job.target, job.questions[0]))
    if (kind, options) not in known:
        observer = kind(PredictionKey(job.target, options, job.witnesses))
        probes = [Probe(*item) for item in questions.items()]
        with stage("predict"):
            prepared = observer.prepare(probes)
        shared = known[kind, options] = SharedPrediction(observer, prepared, Deciding(observer, questions))
        if job.keep:
            shared.predictions = packed_digests({asked.id: observer.prediction(asked) for asked in probes})
    return known[kind, options]


def observed(job: Job, answer: Answer) -> Answer:
    """Ask one subject about a prepared batch and judge what it shows."""
    observer, prepared, attempt = answer.shared.observer, answer.shared.prepared, answer.attempt
    answer.verdicts += prepared.settled
    able = []
    lacks = observer.lacks(attempt.built)
    speaker = "the language" if attempt.built.language else observer.speaker
    hopeless = frozenset(item for item in lacks if item.startswith(EVERYTHING))
    silent = observer.unanswered(attempt.built)
    unasked = Outcome.NOT_RUN if EVERYTHING in silent else Outcome.UNSUPPORTED
    obstacle = observer.obstacle(attempt.built)
    for plan in prepared.plans:
        needs = prepared.needs[plan.probe]
        missing = needs & lacks or hopeless
        why = obstacle or (f"{speaker} has no {', '.join(sorted(missing))}" if missing else "")
        ready = why or observer.adapted(answer.asked.subject, plan, needs)
        if isinstance(ready, str):
            answer.verdicts += observer.settle(
                plan, unasked if missing and not obstacle else Outcome.UNSUPPORTED, ready
            )
        else:
            able.append(ready)
    seen = observations_of(answer, able)
    # A stage for each question would be a twentieth of our time.
    judged: list[Verdict] = []
    with stage("judge"):
        for plan, one in seen:
            judged += excused(observer.judge(plan, one), prepared.needs[plan.probe], silent, speaker)
    answer.verdicts += marked(job, answer, judged, seen)
    for plan, one in seen:
        if not isinstance(one, Failed):
            keep(job, answer, plan, one)
    return answer


def marked(
    job: Job, answer: Answer, verdicts: Sequence[Verdict], seen: Iterable[tuple[Any, Any]]
) -> Sequence[Verdict]:
    """The verdicts, with the quirks by which they are known where the subject does what its own dialect says."""
    if not any(one.verdict is Judgement.DEVIATES or one.shown for one in verdicts):
        return verdicts
    opinion = opinion_of(job, answer)
    told: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        told.setdefault(verdict.probe, []).append(verdict)
    departed = {
        plan.probe: Departed(plan, one, told.get(plan.probe, ()))
        for plan, one in seen
        if not isinstance(one, Failed)
    }
    with stage("known"):
        return opinion.known(verdicts, departed, by_probe(job.questions))


def opinion_of(job: Job, answer: Answer) -> SecondOpinion:
    """The subject of an answer by its own dialect."""
    dialects = answer.shared.dialects_of(answer.asked.subject.spelling)
    return SecondOpinion(dialects, answer.asked, answer.attempt, job.quirks)


def excused(
    verdicts: Sequence[Verdict], needs: frozenset[str], silent: Mapping[str, str], speaker: str
) -> tuple[Verdict, ...]:
    """The verdicts on one question, without refusals where the subject did not say whether it has what the question needs."""
    unsaid = sorted(needs & silent.keys())
    if not unsaid:
        return tuple(verdicts)
    words = f"{speaker} did not say whether it has {', '.join(unsaid)}: {silent[unsaid[0]]}"
    return tuple(
        unobserved(one.probe, one.kind, Outcome.NOT_RUN, words) if one.outcome is Outcome.REFUSED else one
        for one in verdicts
    )


def observations_of(answer: Answer, plans: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the observation of each plan, or that its work folder was damaged; raises `OSError` for a fault of the machine."""
    try:
        return list(answer.shared.observer.observe(answer.attempt, plans))
    except OSError as error:
        if error.errno in FATAL:
            raise
        words = f"its work folder was changed behind abiprobe's back ({error.strerror})"
        return [(plan, Failed(Outcome.NOT_RUN, words)) for plan in plans]


def keep(job: Job, answer: Answer, plan: Any, seen: Any) -> None:
    """Keep what was observed of one plan, in the words of a report or to be judged anew, as a job asks for it."""
    observer, tape = answer.shared.observer, answer.tape
    note = observer.note(plan, seen) if job.observe else None
    if note is not None:
        answer.notes.append(note)
    if tape is not None:
        tape.asked[plan.probe] = observer.fingerprint(plan)
        tape.seen[plan.probe] = observer.record(plan, seen)


def add_pairs(job: Job, answers: Sequence[Answer]) -> None:
    """Let the callers of subjects call the callees of others, at one level and of one model."""
    calling = [
        both for both in permutations(answers, 2) if are_paired(job.pairs, answers[0].asked.subject, *both)
    ]
    for caller, callee in counted(calling, "calls between two", len(calling)):
        with lapse(caller.used):
            pair(job, caller, callee)


def are_paired(wanted: Pairs, first: Subject, caller: Answer, callee: Answer) -> bool:
    """Return whether one subject's functions call another's: they share a level and a model, and one may be the `first`."""
    alike = caller.asked.level == callee.asked.level and caller.shared is callee.shared
    return alike and (
        wanted is Pairs.ALL
        or (wanted is Pairs.FIRST and first in {caller.asked.subject, callee.asked.subject})
    )


def pair(job: Job, caller: Answer, callee: Answer) -> None:
    """Add the verdicts on the calls that one subject's functions make of another's."""
    observer, tape = caller.shared.observer, caller.tape
    partner = callee.asked.subject.spelling
    if not isinstance(observer, PairObserver):
        return
    try:
        seen = list(observer.pair(caller.attempt, callee.attempt))
    except OSError as error:
        if error.errno in FATAL:
            raise
        return
    with stage("judge"):
        judged = [observer.judge_pair(plan, arrived) for plan, arrived in seen]
    told: Mapping[str, tuple[str, ...]] = {}
    if any(one.verdict is Judgement.DEVIATES for one in judged):
        with stage("known"):
            told = laid_apart(
                judged, opinion_of(job, caller), opinion_of(job, callee), by_probe(job.questions)
            )
    caller.verdicts += [
        msgspec.structs.replace(verdict, partner=partner, quirks=told.get(verdict.probe, ()))
        for verdict in judged
    ]
    for plan, arrived in seen if tape is not None else ():
        if not isinstance(arrived, Failed):
            assert tape is not None
            tape.pairs.setdefault(partner, {})[plan.probe] = observer.record_pair(arrived)


def finished(job: Job, answer: Answer, questions: Mapping[str, Question]) -> BatchDone:
    """The line of the journal for what one subject answered."""
    attempt = answer.attempt
    with lapse(answer.used), stage("clauses"):
        clauses, compared = by_clause(answer.verdicts, answer.shared.deciding)
    return BatchDone(
        BatchKey(job.target.spelling, *answer.asked.spelling, job.sort, job.number),
        len(job.questions),
        in_order(answer.verdicts, questions),
        kept(questions, answer.verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds + answer.used.stages.pop(RUN, 0.0),
        answer.used.own,
        observed=tuple(answer.notes),
        raw=b"" if answer.tape is None else packed(answer.tape),
        predicted=answer.shared.predictions,
        clauses=clauses,
        compared=compared,
        stages=tuple(sorted(answer.used.stages.items())),
    )


def in_order(verdicts: Iterable[Verdict], questions: Iterable[str]) -> tuple[Verdict, ...]:
    """Verdicts in the order of the questions, given by probe: they come in that of the units that could be made of these."""
    places = {identity: place for place, identity in enumerate(questions)}
    return tuple(sorted(verdicts, key=lambda verdict: places[verdict.probe]))


def kept(questions: Mapping[str, Question], verdicts: Iterable[Verdict]) -> tuple[Kept, ...]:
    """Return the questions, given by probe, whose verdicts a reader will want to look into."""
    kept = {
        verdict.probe
        for verdict in verdicts
        if verdict.verdict is Judgement.DEVIATES or verdict.reading or verdict.shown
    }
    broken = {Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT}
    kept |= {verdict.probe for verdict in verdicts if verdict.outcome in broken}
    return tuple(Kept(identity, question) for identity, question in questions.items() if identity in kept)

"""One batch from questions to verdicts: predicted once, then put to each compiler.

A batch accounts for every probe it was given, for every subject.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.bench import bench
from abiprobe.harness.calls import CallPlan
from abiprobe.harness.compile import Limits
from abiprobe.harness.judging import judged
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.observe import Attempt, calls_text, layouts_text
from abiprobe.harness.prepare import Prepared, asked_by, prepare, settle
from abiprobe.harness.toolchains.features import lacking
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.harness.toolchains.options import layout_options
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.journal import BatchDone, BatchKey, Kept, Observed
from abiprobe.results.record import Judgement, Outcome, Verdict


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


def run_job(job: Job) -> list[BatchDone]:
    """Put a batch to each of its subjects. Raises `Problem` when calls of the target cannot be run here."""
    predicted: dict[LayoutOptions, Prepared] = {}
    texts: dict[tuple[str, ...], str] = {}
    done = []
    clock = time.process_time()
    for name, level in job.subjects:
        options = layout_options(parse_subject(name).options)
        if options not in predicted:
            predicted[options] = prepare(find_model(job.target, options), job.questions)
        answer = put(job, predicted[options], name, level, texts)
        done.append(msgspec.structs.replace(answer, own_seconds=time.process_time() - clock))
        clock = time.process_time()
    return done


def put(job: Job, prepared: Prepared, name: str, level: str, texts: dict[tuple[str, ...], str]) -> BatchDone:
    """Put a prepared batch to one subject and judge what it shows; `texts` are the units known so far."""
    built = build(parse_subject(name), job.target, level)
    assert built is not None, "the session offers subjects that are installed for the target"
    lacks = lacking(built, identity(built.command).digest)
    able = [plan for plan in prepared.plans if not prepared.needs[plan.probe] & lacks]
    verdicts = list(prepared.settled)
    for plan in prepared.plans:
        missing = prepared.needs[plan.probe] & lacks
        if missing:
            words = f"the compiler has no {', '.join(sorted(missing))}"
            verdicts += settle(asked_by(plan), Outcome.UNSUPPORTED, words)
    notes: list[Observed] = []
    calls = any(isinstance(question, Prototype) for question in job.questions)
    with tempfile.TemporaryDirectory(prefix="abiprobe-") as folder:
        here = bench(job.target) if calls and able else None
        attempt = Attempt(here, built, Path(folder), job.limits)
        for answers, note in judged(attempt, able, unit_text(able, texts)):
            verdicts += answers
            if job.observe and note is not None:
                notes.append(note)
    return BatchDone(
        BatchKey(job.target, name, level, job.sort, job.number),
        len(job.questions),
        tuple(verdicts),
        kept(job.questions, verdicts),
        attempt.compile_seconds,
        attempt.link_seconds,
        attempt.run_seconds,
        observed=tuple(notes),
    )


def unit_text(plans: Sequence[CallPlan | LayoutPlan], texts: dict[tuple[str, ...], str]) -> str:
    """The translation unit that asks all of `plans`, which are of one sort; subjects that can do the same share it."""
    key = tuple(plan.probe for plan in plans)
    if key not in texts:
        layouts = [plan for plan in plans if isinstance(plan, LayoutPlan)]
        calls = [plan for plan in plans if isinstance(plan, CallPlan)]
        texts[key] = layouts_text(layouts) if layouts else calls_text(calls)
    return texts[key]


def kept(questions: Iterable[Question], verdicts: Iterable[Verdict]) -> tuple[Kept, ...]:
    """The questions whose verdicts a reader will want to look into."""
    telling = {verdict.probe for verdict in verdicts if verdict.verdict is Judgement.DEVIATES}
    telling |= {
        verdict.probe for verdict in verdicts if verdict.outcome in {Outcome.REFUSED, Outcome.CRASHED}
    }
    found = (probe(question) for question in questions) if telling else ()
    return tuple(Kept(item.id, item.question) for item in found if item.id in telling)

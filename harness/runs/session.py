"""Carry out a run: draw questions, run every subject of every target on them, journal the verdicts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import takewhile

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.stopwatch import since, spent, stage
from abiprobe.harness.base.version import version
from abiprobe.harness.base.workers import Work, leaving, results
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.workbench import bench, runs_programs
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.observers.division import abandoned, halves, joined, run_in_parts
from abiprobe.harness.runs import complete
from abiprobe.harness.runs.answer_cache import cached_answer, evict_oldest
from abiprobe.harness.runs.budget_sharing import TargetSeconds, cheapest_first
from abiprobe.harness.runs.compiler_guard import run_guarded, with_digests
from abiprobe.harness.runs.dask_cluster import run_distributed
from abiprobe.harness.runs.executor_versions import tools
from abiprobe.harness.runs.question_sorts import subjects_by_target, subjects_of, targets_of
from abiprobe.harness.runs.schedule import NO_CORPUS, Corpus, by_target, complete_batches, jobs, total_batches
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, identity
from abiprobe.harness.subjects.subject import Built
from abiprobe.harness.subjects.trust import LEVEL, expect_trusted
from abiprobe.results.journal.journal import (
    SCHEMA,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Plan,
    QuestionBatch,
    SubjectInfo,
    Tally,
    Writer,
    tally_digest,
)

OVERTIME = 15.0, 0.1
"""The overtime of running jobs when a budget is used up: seconds, or a share of the budget if that is more."""


class Settings(msgspec.Struct, frozen=True):
    """Settings that do not affect verdicts: workers, wall-clock seconds (`None`: no budget), tool limits.

    `keep` journals raw observations and questions, which `rejudge` needs; `fresh` bypasses the answer cache; `dask` is
    the address of a Dask scheduler that runs the jobs, empty for local workers.
    """

    jobs: int
    budget: float | None = None
    limits: Limits = Limits()
    keep: bool = False
    corpus: Corpus = NO_CORPUS
    fresh: bool = False
    dask: str = ""


def never() -> bool:
    """Return false: no number of failures ends a run."""
    return False


def header(plan: Plan) -> Header:
    """Build the journal header of a new run."""
    infos = tuple(
        SubjectInfo(target.spelling, subject.spelling, found.version, found.digest, language_of(built))
        for target, subjects in subjects_by_target(plan).items()
        for subject in subjects
        if (built := build(subject, target, plan.levels[0])) is not None
        for found in (identity(built.command),)
    )
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Header(
        SCHEMA,
        version(),
        started,
        plan,
        infos,
        tools=tools(targets_of(plan)),
        complete=complete.of_plan(plan),
    )


def language_of(built: Built) -> str:
    """The language of a subject; empty for C."""
    return find_language(built.language).about.language if built.language else ""


def record_questions(pending: Iterator[Job], head: Header, writer: Writer, *, keep: bool) -> Iterator[Job]:
    """Yield `pending` with the compiler digests of the header, after journalling the questions of each batch.

    With `keep`, questions and observations of all batches are journalled, else the questions of the corpus only.
    """
    known: set[tuple[str, str, int]] = set()
    for job in pending:
        # The corpus is read for each target; what is drawn is the same for all.
        target = job.target.spelling if job.number < 0 else ""
        if (target, job.sort, job.number) not in known and (keep or target):
            known.add((target, job.sort, job.number))
            writer.write(QuestionBatch.of(job.sort, job.number, job.questions, target))
        yield with_digests(msgspec.structs.replace(job, keep=keep), head.subjects)


def run(
    head: Header,
    settings: Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    progress: Callable[[BatchDone], None],
    enough: Callable[[], bool] = never,
) -> None:
    """Run the remaining batches and close the journal; `finished` are the batches of an interrupted run.

    No batch is begun once there are `enough` failures. Batches are not held in memory once journalled. On Ctrl-C, every finished batch is in the journal and
    `KeyboardInterrupt` propagates. Raises `Problem`, likewise, when a compiler changes during the run.
    """
    plan = head.plan
    started, before = time.monotonic(), spent()
    for target in filter(runs_programs, targets_of(plan)):
        bench(target)
    evict_oldest()
    # What is built once for all runs is no part of the budget.
    asking = time.monotonic()
    tallies = [Tally.of(batch) for batch in complete_batches(plan, finished)]
    done = frozenset(tally.key for tally in tallies)
    ended = "complete"
    spent_seconds = TargetSeconds()
    pending = record_questions(
        takewhile(lambda _: not enough(), pending_jobs(plan, done, settings, spent_seconds)),
        head,
        writer,
        keep=settings.keep,
    )
    try:
        for answer in run_jobs(head, pending, settings, asking):
            for batch in answer:
                with stage("write"):
                    writer.write(batch)
                    tallies.append(Tally.of(batch))
                spent_seconds.end(batch)
                progress(batch)
        if len(tallies) < total_batches(plan, settings.corpus):
            ended = "failures" if enough() else "budget" if settings.budget is not None else ended
        verdicts = sum(tally.verdicts for tally in tallies)
        seconds = round(time.monotonic() - started, 3)
        lead = tuple((name, since(before).get(name, 0.0)) for name in ("draw", "write"))
        spent_seconds.remember()
        writer.write(Footer(len(tallies), verdicts, tally_digest(tallies), ended, seconds, lead))
    finally:
        writer.close()


def pending_jobs(
    plan: Plan, done: frozenset[BatchKey], settings: Settings, seconds: TargetSeconds
) -> Iterator[Job]:
    """Yield the jobs that are not `done`; under a budget, targets share the time equally."""
    if settings.budget is None:
        yield from jobs(plan, done, settings.jobs, settings.limits, settings.corpus)
        return
    parts = by_target(plan, done, settings.jobs, settings.limits, settings.corpus, soon=True)
    for job in cheapest_first(parts, seconds):
        seconds.begin(job)
        yield job


def run_jobs(
    head: Header, pending: Iterator[Job], settings: Settings, started: float
) -> Iterator[list[BatchDone]]:
    """Run `pending` on local workers or a Dask cluster; yields finished batches."""
    if not settings.dask:
        return run_locally(pending, settings, started)
    return run_distributed(pending, settings.dask, head, lambda: budget_spent(settings, started))


def run_locally(pending: Iterator[Job], settings: Settings, started: float) -> Iterator[list[BatchDone]]:
    """Run `pending` on local workers, all kept busy, and yield batches as they finish, until the budget ends."""
    asking = Work(work if settings.fresh else recall, give_up, halves, joined)
    for _, answer in results(asking, pending, settings.jobs, Budget(settings.budget, started)):
        yield answer


def budget_spent(settings: Settings, started: float) -> bool:
    """Return whether the budget of time is used up."""
    return settings.budget is not None and time.monotonic() - started >= settings.budget


class Budget:
    """A budget of seconds since `started` (monotonic clock): then no job is begun, and after a while none goes on."""

    def __init__(self, seconds: float | None, started: float) -> None:
        self._end = math.inf if seconds is None else started + seconds
        self._patience = 0.0 if seconds is None else max(OVERTIME[0], seconds * OVERTIME[1])

    def over(self) -> bool:
        """Return whether the budget is used up."""
        return time.monotonic() >= self._end

    def left(self) -> float:
        """Seconds until running jobs are given up."""
        return self._end + self._patience - time.monotonic()


def give_up(job: Job) -> list[BatchDone]:
    """The verdicts on a question on which workers die."""
    return leaving(abandoned, job)


def work(job: Job) -> list[BatchDone]:
    """Run a job in a worker, bypassing the cache."""
    return leaving(partial(run_guarded, run_in_parts), job)


def recall(job: Job) -> list[BatchDone]:
    """A job that may be remembered, in a worker."""
    return leaving(partial(run_guarded, cached_answer), job)


def resumable(plan: Plan, recorded: Header) -> None:
    """Raise `Problem` unless the compilers are those with which a run was begun."""
    for subject in subjects_of(plan):
        expect_trusted(subject)
    for level in plan.levels:
        if not LEVEL.fullmatch(level):
            raise Problem(f"the run names {level!r}, which is no optimisation level", "start a new run")
    now = {(info.target, info.subject): info.digest for info in header(plan).subjects}
    for info in recorded.subjects:
        if now.get((info.target, info.subject)) != info.digest:
            raise Problem(
                f"{info.subject} for {info.target} is not the compiler that this run began with ({info.version})",
                "start a new run",
            )

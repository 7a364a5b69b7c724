"""A run: questions drawn once, put to every subject of every target, verdicts journalled as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import UTC, datetime

import msgspec

from abiprobe.harness.batch import Job
from abiprobe.harness.bench import bench
from abiprobe.harness.compile import Limits
from abiprobe.harness.dispatch import run_job, runs_programs
from abiprobe.harness.fairness import Spent, fairly
from abiprobe.harness.nights.cluster import distributed
from abiprobe.harness.nights.tools import tools
from abiprobe.harness.offers import offered
from abiprobe.harness.problem import Problem
from abiprobe.harness.remembering import answer, make_room
from abiprobe.harness.schedule import NO_CORPUS, Corpus, by_target, jobs, total_batches, whole
from abiprobe.harness.stopwatch import since, spent, stage
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.harness.version import version
from abiprobe.harness.workers import leaving, pool_of, stop
from abiprobe.results.journal import (
    SCHEMA,
    Asked,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Plan,
    SubjectInfo,
    Tally,
    Writer,
    tally_digest,
)

AHEAD = 2
"""Jobs kept waiting for each worker, so that none idles while the next batch is drawn."""


class Settings(msgspec.Struct, frozen=True):
    """What a run may use, without a say in its verdicts: workers, seconds (`None`: no budget), tool limits.

    `keep` asks for raw observations and questions in the journal, so that the run can be judged anew; `fresh` for
    answers of this run only. The workers of the Dask scheduler at `dask` do the work where one is named.
    """

    jobs: int
    budget: float | None = None
    limits: Limits = Limits()
    keep: bool = False
    corpus: Corpus = NO_CORPUS
    fresh: bool = False
    dask: str = ""


def header(plan: Plan) -> Header:
    """The first line of the journal of a new run."""
    infos = tuple(
        SubjectInfo(target, spelling, found.version, found.digest)
        for target, spellings in offered(plan).items()
        for spelling in spellings
        if (built := build(parse_subject(spelling), target, plan.levels[0])) is not None
        for found in (identity(built.command),)
    )
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Header(SCHEMA, version(), started, plan, infos, tools=tools(plan.targets))


def announced(pending: Iterator[Job], writer: Writer, *, keep: bool) -> Iterator[Job]:
    """`pending`, whose questions are written before anybody is asked: all of them with `keep`, else those of the corpus.

    With `keep` their observations are kept, too.
    """
    known: set[tuple[str, str, int]] = set()
    for job in pending:
        # The corpus is read for each target; what is drawn is the same for all.
        target = job.target if job.number < 0 else ""
        if (target, job.sort, job.number) not in known and (keep or target):
            known.add((target, job.sort, job.number))
            writer.write(Asked.of(job.sort, job.number, job.questions, target))
        yield msgspec.structs.replace(job, keep=True) if keep else job


def run(
    plan: Plan,
    settings: Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    progress: Callable[[BatchDone], None],
) -> None:
    """Do what is left of a run and close its journal; `finished` are the batches of an interrupted one.

    What is in the journal is not kept in memory. On Ctrl-C every finished batch is in the journal and
    `KeyboardInterrupt` goes on.
    """
    started, before = time.monotonic(), spent()
    for target in filter(runs_programs, plan.targets):
        bench(target)
    make_room()
    tallies = [Tally.of(batch) for batch in whole(plan, finished)]
    done = frozenset(tally.key for tally in tallies)
    ended = "complete"
    spent_seconds = Spent()
    pending = announced(listed(plan, done, settings, spent_seconds), writer, keep=settings.keep)
    try:
        for answer in answered(plan, pending, settings, started):
            for batch in answer:
                with stage("write"):
                    writer.write(batch)
                    tallies.append(Tally.of(batch))
                spent_seconds.end(batch)
                progress(batch)
        if settings.budget is not None and len(tallies) < total_batches(plan, settings.corpus):
            ended = "budget"
        verdicts = sum(tally.verdicts for tally in tallies)
        seconds = round(time.monotonic() - started, 3)
        lead = tuple((name, since(before).get(name, 0.0)) for name in ("draw", "write"))
        writer.write(Footer(len(tallies), verdicts, tally_digest(tallies), ended, seconds, lead))
    finally:
        writer.close()


def listed(plan: Plan, done: frozenset[BatchKey], settings: Settings, seconds: Spent) -> Iterator[Job]:
    """The batches that are not done; under a budget the targets get the same share of it."""
    if settings.budget is None:
        yield from jobs(plan, done, settings.jobs, settings.limits, settings.corpus)
        return
    parts = by_target(plan, done, settings.jobs, settings.limits, settings.corpus)
    for job in fairly(parts, seconds):
        seconds.begin(job)
        yield job


def answered(
    plan: Plan, pending: Iterator[Job], settings: Settings, started: float
) -> Iterator[list[BatchDone]]:
    """The answers to `pending`, from here or from a cluster."""
    if not settings.dask:
        return overlapped(pending, settings, started)
    return distributed(pending, settings.dask, header(plan), lambda: used_up(settings, started))


def overlapped(pending: Iterator[Job], settings: Settings, started: float) -> Iterator[list[BatchDone]]:
    """The answers to `pending` as they come, with every worker busy, until the budget is spent."""
    if settings.jobs == 1:
        for job in pending:
            if used_up(settings, started):
                return
            yield run_job(job) if settings.fresh else answer(job)
        return
    pool = pool_of(settings.jobs)
    waiting: set[Future[list[BatchDone]]] = set()
    try:
        for job in pending:
            if used_up(settings, started):
                waiting = {future for future in waiting if not future.cancel()}
                break
            waiting.add(pool.submit(work if settings.fresh else recall, job))
            if len(waiting) >= settings.jobs * AHEAD:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in ready)
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in ready)
    except BaseException:
        stop(pool)
        raise
    pool.shutdown()


def used_up(settings: Settings, started: float) -> bool:
    """Whether the budget of time is used up."""
    return settings.budget is not None and time.monotonic() - started >= settings.budget


def work(job: Job) -> list[BatchDone]:
    """A job that is asked anew, in a worker."""
    return leaving(run_job, job)


def recall(job: Job) -> list[BatchDone]:
    """A job that may be remembered, in a worker."""
    return leaving(answer, job)


def resumable(plan: Plan, recorded: Header) -> None:
    """Raise `Problem` unless the compilers are those with which a run was begun."""
    now = {(info.target, info.subject): info.digest for info in header(plan).subjects}
    for info in recorded.subjects:
        if now.get((info.target, info.subject)) != info.digest:
            raise Problem(
                f"{info.subject} for {info.target} is not the compiler that this run began with ({info.version})",
                "start a new run",
            )

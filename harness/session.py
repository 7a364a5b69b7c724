"""A run: questions drawn once, put to every subject of every target, verdicts journalled as they come."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path
from types import FrameType
from typing import TypeVar

import msgspec

from abiprobe.generators import simd
from abiprobe.generators.pool import BATCH, PoolKind, stream
from abiprobe.generators.tours import SORT as TOURS
from abiprobe.harness import tours
from abiprobe.harness.batch import Job
from abiprobe.harness.bench import bench
from abiprobe.harness.compile import Limits
from abiprobe.harness.dispatch import has_calls, run_job, runs_programs
from abiprobe.harness.nights.tools import tools
from abiprobe.harness.problem import Problem
from abiprobe.harness.stopwatch import since, spent, stage
from abiprobe.harness.toolchains.find import build, identity, installed, parse_subject
from abiprobe.harness.vectors.batch import asks_vectors
from abiprobe.harness.version import version
from abiprobe.oracles.question import Question
from abiprobe.oracles.standins import stand_ins
from abiprobe.results.journal import (
    SCHEMA,
    Asked,
    BatchDone,
    BatchKey,
    Footer,
    Header,
    Pairs,
    Plan,
    SubjectInfo,
    Writer,
    verdict_digest,
)

SORTS = (PoolKind.PROTOTYPES.value, PoolKind.RECORDS.value, simd.SORT)
"""The sorts of questions that a run has."""
A = TypeVar("A")
B = TypeVar("B")

GRACE = 15.0
"""Seconds in which a worker that is told to end cleans up."""
AHEAD = 2
"""Jobs kept waiting for each worker, so that none idles while the next batch is drawn."""
SELDOM = (50_000, 50, 100)
"""Thresholds of the collector of cycles in workers."""


class Settings(msgspec.Struct, frozen=True):
    """What a run may use, without a say in its verdicts: workers, seconds (`None`: no budget), tool limits.

    `keep` asks for raw observations and questions in the journal, so that the run can be judged anew.
    """

    jobs: int
    budget: float | None = None
    limits: Limits = Limits()
    keep: bool = False


def offered(plan: Plan) -> dict[str, tuple[str, ...]]:
    """The subjects of a plan that each target can be put to.

    Raises `Problem` for a subject that is not installed for any target of the plan.
    """
    subjects = [parse_subject(text) for text in plan.subjects]
    for subject in subjects:
        if not installed(subject, plan.targets):
            raise Problem(
                f"compiler {subject.name!r} is not installed for {', '.join(plan.targets)}",
                "see: abiprobe list toolchains",
            )
    return {
        target: tuple(subject.spelling for subject in subjects if installed(subject, (target,)))
        for target in plan.targets
    }


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


def jobs(plan: Plan, done: frozenset[BatchKey], workers: int, limits: Limits) -> Iterator[Job]:
    """The batches of a run that are not done, in a fixed order; drawn when they are asked for."""
    subjects = offered(plan)
    numbers = range(-(-plan.cases // BATCH))
    first, shards = plan.shard
    # Few batches are shared out by subject, so that no worker idles; many are not, since a batch is predicted once.
    groups = max(1, -(-2 * workers // max(1, len(numbers) * len(plan.targets) * len(PoolKind))))
    streams: dict[str, Iterator[Question]] = {
        kind.value: stream(seed=plan.seed, kind=kind) for kind in (PoolKind.PROTOTYPES, PoolKind.RECORDS)
    }
    streams[simd.SORT] = simd.stream(seed=plan.seed, bounds=simd.EVERYTHING)
    yield from tour_jobs(plan, subjects, done, workers, limits)
    for number in numbers:
        count = min(BATCH, plan.cases - number * BATCH)
        for sort, source in streams.items():
            targets = [target for target in plan.targets if asks(target, sort)]
            if not targets:
                continue
            with stage("draw"):
                questions = tuple(islice(source, count))
            if number % shards != first - 1:
                continue
            # A layout does not depend on the optimisation level.
            levels = plan.levels[:1] if sort == PoolKind.RECORDS.value else plan.levels
            # What is rarely wrong and takes long to ask is asked of a sample.
            asked = plan.witnesses if number else tuple(dict.fromkeys((*plan.witnesses, *plan.sampled)))
            for target in targets:
                pairs = plan.pairs if sort == PoolKind.PROTOTYPES.value else Pairs.NONE
                put = [
                    (subject, level)
                    for level in levels
                    for subject in subjects[target]
                    if answers(subject, target, sort)
                    and BatchKey(target, subject, level, sort, number) not in done
                ]
                for part in parts(put, groups, pairs):
                    yield Job(
                        target,
                        number,
                        sort,
                        questions,
                        tuple(part),
                        limits,
                        witnesses=asked,
                        pairs=pairs,
                    )


def announced(pending: Iterator[Job], writer: Writer) -> Iterator[Job]:
    """`pending` with observations to be kept; the questions of each batch are written before anybody is asked."""
    known: set[tuple[str, int]] = set()
    for job in pending:
        if (job.sort, job.number) not in known:
            known.add((job.sort, job.number))
            writer.write(Asked.of(job.sort, job.number, job.questions))
        yield msgspec.structs.replace(job, keep=True)


def parts(put: Sequence[tuple[str, str]], groups: int, pairs: Pairs) -> Iterable[Sequence[tuple[str, str]]]:
    """The subjects of a batch, in about so many groups: those that are paired stay together, and none is empty."""
    if pairs is Pairs.NONE:
        return split(put, groups)
    return [put] if put and groups == 1 else by_level(put)


def tour_jobs(
    plan: Plan,
    subjects: Mapping[str, tuple[str, ...]],
    done: frozenset[BatchKey],
    workers: int,
    limits: Limits,
) -> Iterator[Job]:
    """The tours of a run, which the first shard takes."""
    for number, target in toured(plan):
        put = [
            (subject, level)
            for level in plan.levels
            for subject in subjects[target]
            if answers(subject, target, PoolKind.PROTOTYPES.value)
            and BatchKey(target, subject, level, TOURS, number) not in done
        ]
        for part in split(put, workers):
            yield Job(target, number, TOURS, tours.questions(target), tuple(part), limits)


def toured(plan: Plan) -> tuple[tuple[int, str], ...]:
    """The targets whose tours a run asks, with the numbers of their batches."""
    if not plan.tours or plan.shard[0] != 1:
        return ()
    return tuple(
        (number, target)
        for number, target in enumerate(plan.targets)
        if asks(target, PoolKind.PROTOTYPES.value)
    )


def split(put: Sequence[tuple[str, str]], groups: int) -> Iterator[Sequence[tuple[str, str]]]:
    """`put` in at most `groups` parts of about the same length, none empty."""
    length = max(1, -(-len(put) // groups))
    for start in range(0, len(put), length):
        yield put[start : start + length]


def by_level(put: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """`put` in one part for each level: subjects that are paired are asked by one worker."""
    for _, part in groupby(put, key=lambda each: each[1]):
        yield list(part)


def whole(plan: Plan, batches: Sequence[BatchDone]) -> list[BatchDone]:
    """Of the batches of an interrupted run those that need not be done again.

    Subjects that are paired answer together, or the pairs would be lost.
    """
    if plan.pairs is Pairs.NONE:
        return list(batches)
    subjects = offered(plan)
    answered = Counter(
        (batch.key.target, batch.key.level, batch.key.sort, batch.key.number) for batch in batches
    )
    return [
        batch
        for batch in batches
        if batch.key.sort != PoolKind.PROTOTYPES.value
        or answered[batch.key.target, batch.key.level, batch.key.sort, batch.key.number]
        == sum(answers(subject, batch.key.target, batch.key.sort) for subject in subjects[batch.key.target])
    ]


def total_batches(plan: Plan) -> int:
    """How many batches a whole run has, over all targets and subjects."""
    first, shards = plan.shard
    numbers = len(range(first - 1, -(-plan.cases // BATCH), shards))
    signatures = sum(
        len(plan.levels)
        for _, target in toured(plan)
        for spelling in offered(plan)[target]
        if answers(spelling, target, PoolKind.PROTOTYPES.value)
    )
    return signatures + sum(
        numbers * (1 if sort == PoolKind.RECORDS.value else len(plan.levels))
        for target, spellings in offered(plan).items()
        for spelling in spellings
        for sort in SORTS
        if asks(target, sort) and answers(spelling, target, sort)
    )


def asks(target: str, sort: str) -> bool:
    """Whether a target is asked questions of one sort."""
    if asks_vectors(target):
        return sort == simd.SORT
    if sort == PoolKind.PROTOTYPES.value:
        return has_calls(target) or any(
            target.partition("@")[0] in standin.targets and standin.calls is not None
            for standin in stand_ins().values()
        )
    return sort == PoolKind.RECORDS.value


def answers(spelling: str, target: str, sort: str) -> bool:
    """Whether a subject is asked questions of one sort about a target: a stand-in knows its own limits."""
    family = parse_subject(spelling).family
    standin = stand_ins().get(family.standin)
    if standin is None:
        return sort != PoolKind.PROTOTYPES.value or has_calls(target) or bool(family.assembly)
    return standin.layouts if sort == PoolKind.RECORDS.value else standin.calls is not None


def run(
    plan: Plan,
    settings: Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    progress: Callable[[BatchDone], None],
) -> list[BatchDone]:
    """Do what is left of a run and close its journal; `finished` are the batches of an interrupted one.

    On Ctrl-C every finished batch is in the journal and `KeyboardInterrupt` goes on.
    """
    started, before = time.monotonic(), spent()
    for target in filter(runs_programs, plan.targets):
        bench(target)
    batches = whole(plan, finished)
    done = frozenset(batch.key for batch in batches)
    ended = "complete"
    pending = jobs(plan, done, settings.jobs, settings.limits)
    if settings.keep:
        pending = announced(pending, writer)
    try:
        for answer in overlapped(pending, settings, started):
            for batch in answer:
                with stage("write"):
                    writer.write(batch)
                batches.append(batch)
                progress(batch)
        if settings.budget is not None and len(batches) < total_batches(plan):
            ended = "budget"
        verdicts = sum(len(batch.verdicts) for batch in batches)
        seconds = round(time.monotonic() - started, 3)
        lead = tuple((name, since(before).get(name, 0.0)) for name in ("draw", "write"))
        writer.write(Footer(len(batches), verdicts, verdict_digest(batches), ended, seconds, lead))
    finally:
        writer.close()
    return batches


def overlapped(pending: Iterator[Job], settings: Settings, started: float) -> Iterator[list[BatchDone]]:
    """The answers to `pending` as they come, with every worker busy, until the budget is spent."""
    if settings.jobs == 1:
        for job in pending:
            if used_up(settings, started):
                return
            yield run_job(job)
        return
    pool = ProcessPoolExecutor(settings.jobs, initializer=start_worker)
    waiting: set[Future[list[BatchDone]]] = set()
    try:
        for job in pending:
            if used_up(settings, started):
                break
            waiting.add(pool.submit(work, job))
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


def start_worker() -> None:
    """What a worker does first.

    Ctrl-C reaches every process of the terminal; workers wait for the parent's word. Their values have few cycles and
    live as long as a batch, so the collector of cycles looks seldom.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave_at_once)


class Leaving(BaseException):
    """A worker was told to end: it unwinds, so that scratch files and children go with it."""


def _leave_at_once(_number: int, _frame: FrameType | None) -> None:
    os._exit(1)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise Leaving


def work(job: Job) -> list[BatchDone]:
    """`run_job` in a worker."""
    return leaving(run_job, job)


def leaving(function: Callable[[A], B], argument: A) -> B:
    """Call a function in a worker that may be told to end; the pool would take one that leaves for one that failed."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        return function(argument)
    except Leaving:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, _leave_at_once)


def stop(pool: ProcessPoolExecutor) -> None:
    """End the workers now; each removes its scratch files and ends its children.

    A job is larger than a pipe: the pool's own thread may still be writing one when nobody is left to read it, and
    would wait for ever (CPython gh-94777) unless the reading end is closed.
    """
    workers = list((pool._processes or {}).values())  # noqa: SLF001 - terminate_workers() came with 3.14
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        worker.kill()
    pool._call_queue._reader.close()  # type: ignore[attr-defined]  # noqa: SLF001
    pool.shutdown(wait=True, cancel_futures=True)


def resumable(plan: Plan, recorded: Header) -> None:
    """Raise `Problem` unless the compilers are those with which a run was begun."""
    now = {(info.target, info.subject): info.digest for info in header(plan).subjects}
    for info in recorded.subjects:
        if now.get((info.target, info.subject)) != info.digest:
            raise Problem(
                f"{info.subject} for {info.target} is not the compiler that this run began with ({info.version})",
                "start a new run",
            )


def create_folder(path: Path) -> None:
    """Make the folder of a run; raises `Problem` when it cannot be written."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise Problem(
            f"cannot write to {path} ({error.strerror})", "choose another folder with --out"
        ) from error

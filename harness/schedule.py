"""Which batches a run has: the corpus first, then what is drawn, for each target and each of its subjects."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from abiprobe.generators.pool import BATCH, PoolKind
from abiprobe.generators.tours import SORT as TOURS
from abiprobe.harness import tours
from abiprobe.harness.batch import Job
from abiprobe.harness.compile import Limits
from abiprobe.harness.drawn import Drawn
from abiprobe.harness.offers import SORTS, answers, asks, offered
from abiprobe.oracles.question import Question
from abiprobe.results.journal import BatchDone, BatchKey, Pairs, Plan

Corpus: TypeAlias = Mapping[str, Mapping[str, tuple[Question, ...]]]
"""The questions that are asked before any is drawn, by target and sort; their batches have negative numbers."""
TOUR_PARTS = 2
"""Batches of a tour, each with every other signature."""
NO_CORPUS: Corpus = {}


def jobs(
    plan: Plan, done: frozenset[BatchKey], workers: int, limits: Limits, corpus: Corpus = NO_CORPUS
) -> Iterator[Job]:
    """The batches of a run that are not done, in a fixed order; drawn when they are asked for."""
    each = by_target(plan, done, workers, limits, corpus)
    order = {sort: place for place, sort in enumerate(SORTS)}
    return heapq.merge(
        *each.values(), key=lambda job: (job.sort != TOURS, job.number, order.get(job.sort, 0))
    )


def by_target(
    plan: Plan, done: frozenset[BatchKey], workers: int, limits: Limits, corpus: Corpus = NO_CORPUS
) -> dict[str, Iterator[Job]]:
    """For each target its batches that are not done, in a fixed order."""
    subjects = offered(plan)
    numbers = -(-plan.cases // BATCH)
    # Few batches are shared out by subject, so that no worker idles; many are not, since a batch is predicted once.
    groups = max(1, -(-2 * workers // max(1, numbers * len(plan.targets) * len(PoolKind))))
    drawn = Drawn(plan)

    def of_target(target: str) -> Iterator[Job]:
        yield from tour_jobs(plan, target, subjects[target], done, workers, limits)
        kept = corpus.get(target, {})
        # Who is asked nothing would be asked it without end.
        if not any(
            asks(target, sort) and answers(one, target, sort) for one in subjects[target] for sort in SORTS
        ):
            return
        for number in range(-max((batches(part) for part in kept.values()), default=0), numbers):
            for sort in SORTS:
                if not asks(target, sort):
                    continue
                every = kept.get(sort, ())
                questions = drawn.take(sort, number) if number >= 0 else part_of(every, number)
                if questions and mine(plan, number):
                    yield from put(
                        plan, target, sort, number, questions, subjects[target], done, groups, limits
                    )

    return {target: of_target(target) for target in plan.targets}


def tour_jobs(
    plan: Plan,
    target: str,
    subjects: Sequence[str],
    done: frozenset[BatchKey],
    workers: int,
    limits: Limits,
) -> Iterator[Job]:
    """The tour of a target, which the first shard takes: one subject's parts keep two workers busy."""
    for part, number in enumerate(toured(plan).get(target, ())):
        asking = [
            (subject, level)
            for level in plan.levels
            for subject in subjects
            if answers(subject, target, PoolKind.PROTOTYPES.value)
            and BatchKey(target, subject, level, TOURS, number) not in done
        ]
        for some in split(asking, workers):
            yield Job(target, number, TOURS, tours.questions(target)[part::TOUR_PARTS], tuple(some), limits)


def toured(plan: Plan) -> dict[str, tuple[int, ...]]:
    """The targets whose tours a run asks, with the numbers of their batches."""
    if not plan.tours or plan.shard[0] != 1:
        return {}
    return {
        target: tuple(range(number * TOUR_PARTS, (number + 1) * TOUR_PARTS))
        for number, target in enumerate(plan.targets)
        if asks(target, PoolKind.PROTOTYPES.value)
    }


def part_of(questions: tuple[Question, ...], number: int) -> tuple[Question, ...]:
    """The batch with a negative number: the last is -1."""
    at = number + batches(questions)
    return questions[at * BATCH :][:BATCH] if at >= 0 else ()


def batches(questions: Sequence[Question]) -> int:
    """How many batches so many questions make."""
    return -(-len(questions) // BATCH)


def mine(plan: Plan, number: int) -> bool:
    """Whether a batch belongs to the shard of a plan."""
    first, shards = plan.shard
    return number % shards == first - 1


def put(
    plan: Plan,
    target: str,
    sort: str,
    number: int,
    questions: tuple[Question, ...],
    subjects: Sequence[str],
    done: frozenset[BatchKey],
    groups: int,
    limits: Limits,
) -> Iterator[Job]:
    """One batch for one target, put to those subjects that have not answered it."""
    # A layout does not depend on the optimisation level.
    levels = plan.levels[:1] if sort == PoolKind.RECORDS.value else plan.levels
    # What is rarely wrong and takes long to ask is asked of a sample.
    asked = plan.witnesses if number > 0 else tuple(dict.fromkeys((*plan.witnesses, *plan.sampled)))
    pairs = plan.pairs if sort == PoolKind.PROTOTYPES.value else Pairs.NONE
    asking = [
        (subject, level)
        for level in levels
        for subject in subjects
        if answers(subject, target, sort) and BatchKey(target, subject, level, sort, number) not in done
    ]
    for part in parts(asking, groups, pairs):
        yield Job(target, number, sort, questions, tuple(part), limits, witnesses=asked, pairs=pairs)


def total_batches(plan: Plan, corpus: Corpus = NO_CORPUS) -> int:
    """How many batches a whole run has, over all targets and subjects."""
    first, shards = plan.shard
    numbers = len(range(first - 1, -(-plan.cases // BATCH), shards))
    signatures = sum(
        len(plan.levels) * len(numbered)
        for target, numbered in toured(plan).items()
        for spelling in offered(plan)[target]
        if answers(spelling, target, PoolKind.PROTOTYPES.value)
    )
    return signatures + sum(
        (
            numbers
            + sum(mine(plan, number) for number in range(-batches(corpus.get(target, {}).get(sort, ())), 0))
        )
        * (1 if sort == PoolKind.RECORDS.value else len(plan.levels))
        for target, spellings in offered(plan).items()
        for spelling in spellings
        for sort in SORTS
        if asks(target, sort) and answers(spelling, target, sort)
    )


def parts(put: Sequence[tuple[str, str]], groups: int, pairs: Pairs) -> Iterable[Sequence[tuple[str, str]]]:
    """The subjects of a batch, in about so many groups: those that are paired stay together, and none is empty."""
    if pairs is Pairs.NONE:
        return split(put, groups)
    return [put] if put and groups == 1 else by_level(put)


def split(put: Sequence[tuple[str, str]], groups: int) -> Iterator[Sequence[tuple[str, str]]]:
    """`put` in at most `groups` parts of about the same length, none empty."""
    length = max(1, -(-len(put) // groups))
    for start in range(0, len(put), length):
        yield put[start : start + length]


def by_level(put: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """`put` in one part for each level: subjects that are paired are asked by one worker."""
    for _, part in groupby(put, key=lambda each: each[1]):
        yield list(part)


def whole(plan: Plan, batches: Sequence[BatchDone]) -> Iterable[BatchDone]:
    """Of the batches of an interrupted run those that need not be done again.

    Subjects that are paired answer together, or the pairs would be lost.
    """
    if plan.pairs is Pairs.NONE:
        return batches
    subjects = offered(plan)
    answered = Counter(
        (batch.key.target, batch.key.level, batch.key.sort, batch.key.number) for batch in batches
    )
    return (
        batch
        for batch in batches
        if batch.key.sort != PoolKind.PROTOTYPES.value
        or answered[batch.key.target, batch.key.level, batch.key.sort, batch.key.number]
        == sum(answers(subject, batch.key.target, batch.key.sort) for subject in subjects[batch.key.target])
    )

"""List the jobs of a run for each target and its subjects.

The beginning of the small scope and the tours at the first level, then the corpus, the first drawn batches, all records of the
small scope with the rest of the covering array of calls, the tours at other levels, and the complete suites. Further drawn batches follow, with the
calls of the small scope behind the covering array: a few batches, or all in a night.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import TypeAlias

from abiprobe.generators import wide_vectors
from abiprobe.generators.pool import BATCH, POOL_SORTS
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.runs import complete, small_scope, tours
from abiprobe.harness.runs.question_batches import QuestionBatches
from abiprobe.harness.runs.question_sorts import (
    CALLS,
    LAYOUTS,
    SORTS,
    batches_drawn,
    can_answer,
    is_asked,
    subjects_by_target,
    takes_sort,
    targets_of,
)
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import AtLevel, Subject
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.model import Target
from abiprobe.results.coverage.complete import SORTS as COMPLETE_SORTS
from abiprobe.results.journal.fields import Level
from abiprobe.results.journal.journal import BatchDone, BatchKey, Pairs, Plan

Corpus: TypeAlias = Mapping[Target, Mapping[Sort, tuple[Question, ...]]]
"""Fixed questions by target and sort, asked before the drawn ones; their batches have negative numbers."""
TOUR_PARTS = 2
"""Batches of a tour, each with every other signature."""
NO_CORPUS: Corpus = {}
WIDE = tuple(wide_vectors.SORTS)
"""The sorts of calls with wide vectors."""
NARROW = tuple(sort for sort in SORTS if sort not in wide_vectors.SORTS)
"""All other sorts that are drawn."""
SCOPE = (Sort.SMALL_RECORDS, Sort.SMALL_CALLS)
"""The sorts of the small scope; records cost least, so they come first."""
ORDER = {sort: at for at, sort in enumerate((*SORTS, *SCOPE))}
"""In which order batches of the same number are asked, by their sorts."""
AS_DRAWN = {Sort.SMALL_RECORDS: Sort.RECORDS, Sort.SMALL_CALLS: Sort.PROTOTYPES}
"""Those who can answer the small scope are told by the drawn questions of the same kind."""
COMPLETE_AS = {Sort.COMPLETE: Sort.PROTOTYPES, Sort.COMPLETE_RECORDS: Sort.RECORDS}
"""The same of the complete suites."""
ScopeBatches: TypeAlias = Mapping[Sort, Mapping[int, int]]
"""The parts of the small scope by sort, with the numbers of their batches."""
SCOPE_PARTS = 1 << 10
"""Batches of the small scope are numbered from a multiple of this, which no target has more of."""


def jobs(
    plan: Plan, done: frozenset[BatchKey], workers: int, limits: Limits, corpus: Corpus = NO_CORPUS
) -> Iterator[Job]:
    """Yield the jobs of a run that are not `done`, in a fixed order; questions are drawn lazily."""
    each = by_target(plan, done, workers, limits, corpus)
    return heapq.merge(*each.values(), key=lambda job: place(plan, job))


def place(plan: Plan, job: Job) -> tuple[int, int, int]:
    """Return what the jobs of a target are sorted by: those of several targets take turns."""
    if job.sort in SCOPE:
        part = job.number % SCOPE_PARTS
        if not part:
            return 0, 0, SCOPE.index(job.sort)
        is_early = part < small_scope.early_parts(job.target, job.sort)
        return 2 if is_early else 4, part, ORDER[job.sort]
    if job.sort is Sort.TOURS:
        return (0, 0, len(SCOPE)) if job.subjects[0].level == plan.levels[0] else (3, 0, 0)
    if job.sort in COMPLETE_SORTS:
        return 3, 1 + COMPLETE_SORTS.index(job.sort), job.number % complete.PARTS
    if job.number < 0:
        return -1 if plan.examples else 1, job.number, ORDER[job.sort]
    at = job.number * (wide_vectors.STEP if job.sort in wide_vectors.SORTS else 1)
    return 4 if at else 1, at, ORDER[job.sort]


def by_target(
    plan: Plan,
    done: frozenset[BatchKey],
    workers: int,
    limits: Limits,
    corpus: Corpus = NO_CORPUS,
    *,
    soon: bool = False,
) -> dict[Target, Iterator[Job]]:
    """Return, for each target, an iterator over its jobs that are not `done`, in a fixed order.

    `soon` shares out what is not drawn, and the first drawn batch of each sort, by subject and level, for a budget that may
    end in it.
    """
    subjects = subjects_by_target(plan)
    numbers = batches_drawn(plan, Sort.RECORDS)
    # Few batches are shared out by subject, so that no worker idles; many are not, since a batch is predicted once.
    groups = max(1, -(-2 * workers // max(1, numbers * len(plan.targets) * len(POOL_SORTS))))
    pool = QuestionBatches(plan, subjects)

    def of_target(target: Target) -> Iterator[Job]:
        kept = corpus.get(target, {})
        fixed = range(-max((batches(part) for part in kept.values()), default=0), 0)
        scope = scope_batches(plan, target)
        if plan.examples:
            yield from numbered(target, fixed, kept)
        early, late = divided(target, scope)
        yield from of_scope(target, (0,), early)
        yield from tour_jobs(plan, target, plan.levels[:1], subjects[target], done, workers, limits)
        # Without a subject that takes any question there is no job.
        if not any(is_asked(target, sort, subjects[target]) for sort in SORTS):
            return
        if not plan.examples:
            yield from numbered(target, fixed, kept)
        yield from numbered(target, (0,), kept)
        last = max((part for batches in early.values() for part in batches), default=0)
        yield from of_scope(target, range(1, last + 1), early)
        yield from tour_jobs(plan, target, plan.levels[1:], subjects[target], done, workers, limits)
        yield from complete_jobs(plan, target, subjects[target], done, limits)
        for number in range(1, numbers + 1):
            if number % wide_vectors.STEP == 0:
                yield from numbered(target, (number // wide_vectors.STEP,), kept, WIDE)
            yield from numbered(target, (number,), kept, NARROW)
            yield from of_scope(target, (number,), late)

    def of_scope(target: Target, some: Iterable[int], scope: ScopeBatches) -> Iterator[Job]:
        for part in some:
            yield from scope_jobs(plan, target, part, scope, subjects[target], done, workers, limits)

    def numbered(
        target: Target,
        some: Iterable[int],
        kept: Mapping[Sort, tuple[Question, ...]],
        sorts: Sequence[Sort] = SORTS,
    ) -> Iterator[Job]:
        for number, sort in product(some, sorts):
            # What nobody can answer need not be drawn.
            if not is_asked(target, sort, subjects[target]):
                continue
            questions = pool.take(sort, number) if number >= 0 else part_of(kept.get(sort, ()), number)
            shared = len(subjects[target]) * len(plan.levels) if soon and number <= 0 else groups
            if questions and in_shard(plan, number):
                yield from jobs_of_batch(
                    plan, target, sort, number, questions, subjects[target], done, shared, limits
                )

    return {target: of_target(target) for target in targets_of(plan)}


def tour_jobs(
    plan: Plan,
    target: Target,
    levels: Sequence[Level],
    subjects: Sequence[Subject],
    done: frozenset[BatchKey],
    workers: int,
    limits: Limits,
) -> Iterator[Job]:
    """Yield the jobs of a target's tour at some levels, which belong to the first shard; its parts keep two workers busy."""
    for part, number in enumerate(tour_batches(plan).get(target, ())):
        asking = [
            AtLevel(subject, level)
            for level in levels
            for subject in subjects
            if can_answer(subject, target, Sort.PROTOTYPES)
            and BatchKey(target.spelling, subject.spelling, level, Sort.TOURS, number) not in done
        ]
        for some in split(asking, workers):
            yield Job(
                target, number, Sort.TOURS, tours.questions(target)[part::TOUR_PARTS], tuple(some), limits
            )


def complete_jobs(
    plan: Plan, target: Target, subjects: Sequence[Subject], done: frozenset[BatchKey], limits: Limits
) -> Iterator[Job]:
    """Yield the jobs of a target's complete suites; there are many, so each is put to all subjects and predicted once."""
    for sort in COMPLETE_SORTS:
        able = [subject for subject in subjects if can_answer(subject, target, COMPLETE_AS[sort])]
        for number in complete.numbers(plan, target, sort):
            asking = tuple(
                AtLevel(subject, level)
                for level in complete_levels(plan, sort)
                for subject in able
                if BatchKey(target.spelling, subject.spelling, level, sort, number) not in done
            )
            if asking:
                questions = complete.batch(plan, target, sort, number)
                yield Job(target, number, sort, questions, asking, limits, witnesses=plan.witnesses)


def complete_levels(plan: Plan, sort: Sort) -> tuple[Level, ...]:
    """Return the levels at which a sort of complete suites is asked: a layout does not depend on the optimisation level."""
    return plan.levels[:1] if sort is Sort.COMPLETE_RECORDS else plan.levels


def scope_jobs(
    plan: Plan,
    target: Target,
    part: int,
    scope: ScopeBatches,
    subjects: Sequence[Subject],
    done: frozenset[BatchKey],
    workers: int,
    limits: Limits,
) -> Iterator[Job]:
    """Yield the jobs of one part of a target's small scope, if the run includes it; `scope` numbers its batches."""
    for sort in SCOPE:
        if part not in scope.get(sort, {}):
            continue
        number = scope[sort][part]
        # All that tells layouts is asked of the covering array.
        sampled = plan.sampled if part < small_scope.first_parts(target, sort) else ()
        witnesses = tuple(dict.fromkeys((*plan.witnesses, *sampled)))
        asking = [
            AtLevel(subject, level)
            for level in scope_levels(plan, sort)
            for subject in subjects
            if can_answer(subject, target, AS_DRAWN[sort])
            and BatchKey(target.spelling, subject.spelling, level, sort, number) not in done
        ]
        questions = small_scope.part(target, sort, part) if asking else ()
        for some in split(asking, workers):
            yield Job(target, number, sort, questions, tuple(some), limits, witnesses=witnesses)


def divided(target: Target, scope: ScopeBatches) -> tuple[ScopeBatches, ScopeBatches]:
    """Divide the parts of a target's small scope into those that come early in a run, and those that further drawn batches go with."""
    first = {sort: small_scope.early_parts(target, sort) for sort in scope}

    def those(*, early: bool) -> ScopeBatches:
        return {
            sort: {part: at for part, at in found.items() if (part < first[sort]) is early}
            for sort, found in scope.items()
        }

    return those(early=True), those(early=False)


def scope_levels(plan: Plan, sort: Sort) -> tuple[Level, ...]:
    """Return the levels at which the small scope is asked: a layout does not depend on the optimisation level."""
    return plan.levels[:1] if sort is Sort.SMALL_RECORDS else plan.levels


def scope_batches(plan: Plan, target: Target) -> ScopeBatches:
    """Return the parts of a target's small scope that a run includes, with the numbers of their batches.

    The covering array and a few batches more are for every run with tours, the rest for a night, which has the corpus; of
    both no more than there are drawn batches.
    """
    parts = small_scope.parts if plan.corpus and not plan.examples else small_scope.second_parts
    base = plan.targets.index(target.spelling) * SCOPE_PARTS
    return {
        sort: {
            part: base + part
            for part in range(parts(target, sort))
            if in_shard(plan, part) and part <= batches_drawn(plan, Sort.RECORDS)
        }
        for sort in scope_sorts(plan, target)
    }


def scope_sorts(plan: Plan, target: Target) -> tuple[Sort, ...]:
    """Return the sorts of the small scope that a run asks for a target; none without tours."""
    return tuple(sort for sort in SCOPE if plan.tours and takes_sort(target, AS_DRAWN[sort]))


def tour_batches(plan: Plan) -> dict[Target, tuple[int, ...]]:
    """Return the targets whose tours a run includes, with the numbers of their batches."""
    if not plan.tours or plan.shard[0] != 1:
        return {}
    return {
        target: tuple(range(number * TOUR_PARTS, (number + 1) * TOUR_PARTS))
        for number, target in enumerate(targets_of(plan))
        # A target without a model has no tour.
        if takes_sort(target, Sort.PROTOTYPES) and target.modelled
    }


def part_of(questions: tuple[Question, ...], number: int) -> tuple[Question, ...]:
    """Return the corpus batch with a negative number; the last is -1."""
    at = number + batches(questions)
    return questions[at * BATCH :][:BATCH] if at >= 0 else ()


def batches(questions: Sequence[Question]) -> int:
    """Return the number of batches that `questions` fill."""
    return -(-len(questions) // BATCH)


def in_shard(plan: Plan, number: int) -> bool:
    """Return whether batch `number` belongs to the shard of a plan."""
    first, shards = plan.shard
    return number % shards == first - 1


def jobs_of_batch(
    plan: Plan,
    target: Target,
    sort: Sort,
    number: int,
    questions: tuple[Question, ...],
    subjects: Sequence[Subject],
    done: frozenset[BatchKey],
    groups: int,
    limits: Limits,
) -> Iterator[Job]:
    """Yield the jobs of one batch for one target, for the subjects that have not answered it."""
    # A layout does not depend on the optimisation level.
    levels = plan.levels[:1] if sort in LAYOUTS else plan.levels
    # What is rarely wrong and takes long to ask is asked of a sample.
    asked = plan.witnesses if number > 0 else tuple(dict.fromkeys((*plan.witnesses, *plan.sampled)))
    pairs = plan.pairs if sort in CALLS else Pairs.NONE
    asking = [
        AtLevel(subject, level)
        for level in levels
        for subject in subjects
        if can_answer(subject, target, sort)
        and BatchKey(target.spelling, subject.spelling, level, sort, number) not in done
    ]
    for part in parts(asking, groups, pairs):
        yield Job(target, number, sort, questions, tuple(part), limits, witnesses=asked, pairs=pairs)


def total_batches(plan: Plan, corpus: Corpus = NO_CORPUS) -> int:
    """Count the batches of a complete run over all targets, subjects and levels."""
    first, shards = plan.shard
    numbers = {sort: len(range(first - 1, batches_drawn(plan, sort), shards)) for sort in SORTS}
    calls = Sort.PROTOTYPES
    fixed = [(target, calls, len(plan.levels) * len(one)) for target, one in tour_batches(plan).items()]
    fixed += [
        (target, AS_DRAWN[sort], len(scope_levels(plan, sort)) * len(numbered))
        for target in targets_of(plan)
        for sort, numbered in scope_batches(plan, target).items()
    ]
    fixed += [
        (
            target,
            COMPLETE_AS[sort],
            len(complete_levels(plan, sort)) * sum(1 for _ in complete.numbers(plan, target, sort)),
        )
        for target in targets_of(plan)
        for sort in COMPLETE_SORTS
    ]
    signatures = sum(
        batches_each
        for target, sort, batches_each in fixed
        for subject in subjects_by_target(plan)[target]
        if can_answer(subject, target, sort)
    )
    return signatures + sum(
        (
            numbers[sort]
            + sum(
                in_shard(plan, number) for number in range(-batches(corpus.get(target, {}).get(sort, ())), 0)
            )
        )
        * (1 if sort in LAYOUTS else len(plan.levels))
        for target, subjects in subjects_by_target(plan).items()
        for subject in subjects
        for sort in SORTS
        if takes_sort(target, sort) and can_answer(subject, target, sort)
    )


def parts(put: Sequence[AtLevel], groups: int, pairs: Pairs) -> Iterable[Sequence[AtLevel]]:
    """Split the configurations `put` into about `groups` groups; paired subjects stay together."""
    if pairs is Pairs.NONE:
        return split(put, groups)
    return [put] if put and groups == 1 else by_level(put)


def split(put: Sequence[AtLevel], groups: int) -> Iterator[Sequence[AtLevel]]:
    """Split `put` into at most `groups` non-empty parts of about the same length."""
    length = max(1, -(-len(put) // groups))
    for start in range(0, len(put), length):
        yield put[start : start + length]


def by_level(put: Sequence[AtLevel]) -> Iterator[Sequence[AtLevel]]:
    """Split `put` by level: subjects that are paired must run in one worker."""
    for _, part in groupby(put, key=lambda each: each.level):
        yield list(part)


def complete_batches(plan: Plan, batches: Sequence[BatchDone]) -> Iterable[BatchDone]:
    """Return the batches of an interrupted run that need not be repeated.

    Of paired subjects, all must have finished the batch, since pairs are judged together.
    """
    if plan.pairs is Pairs.NONE:
        return batches
    able = {
        (target.spelling, sort): sum(can_answer(subject, target, sort) for subject in subjects)
        for target, subjects in subjects_by_target(plan).items()
        for sort in CALLS
    }
    answered = Counter(
        (batch.key.target, batch.key.level, batch.key.sort, batch.key.number) for batch in batches
    )
    return (
        batch
        for batch in batches
        if batch.key.sort not in CALLS
        or answered[batch.key.target, batch.key.level, batch.key.sort, batch.key.number]
        == able[batch.key.target, batch.key.sort]
    )

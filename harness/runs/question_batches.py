"""Draw the numbered batches of questions that a run's seed determines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from abiprobe.generators import simd
from abiprobe.generators.pool import BATCH, PoolKind, stream
from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.runs.question_sorts import SORTS, takes_sort
from abiprobe.oracles.question import Question
from abiprobe.results.journal import Plan


class QuestionBatches:
    """Batches of questions by number; each is drawn once and dropped after the last target has taken it."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._takers = {sort: sum(takes_sort(target, sort) for target in plan.targets) for sort in SORTS}
        self._streams: dict[str, Iterator[Question]] = {
            kind.value: stream(seed=plan.seed, kind=kind) for kind in (PoolKind.PROTOTYPES, PoolKind.RECORDS)
        }
        self._streams[simd.SORT] = simd.stream(seed=plan.seed, bounds=simd.EVERYTHING)
        self._next = dict.fromkeys(SORTS, 0)
        self._kept: dict[tuple[str, int], tuple[tuple[Question, ...], int]] = {}

    def take(self, sort: str, number: int) -> tuple[Question, ...]:
        """Return the questions of batch `number`; call once for each target that takes questions of this sort."""
        while self._next[sort] <= number:
            drawn = self._next[sort]
            count = min(BATCH, self._plan.cases - drawn * BATCH)
            with stage("draw"):
                questions = tuple(islice(self._streams[sort], count))
            self._kept[sort, drawn] = questions, self._takers[sort]
            self._next[sort] += 1
        questions, left = self._kept[sort, number]
        if left > 1:
            self._kept[sort, number] = questions, left - 1
        else:
            del self._kept[sort, number]
        return questions

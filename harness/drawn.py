"""The batches that a seed draws."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from abiprobe.generators import simd
from abiprobe.generators.pool import BATCH, PoolKind, stream
from abiprobe.harness.offers import SORTS, asks
from abiprobe.harness.stopwatch import stage
from abiprobe.oracles.question import Question
from abiprobe.results.journal import Plan


class Drawn:
    """The batches that a seed draws, each drawn once and forgotten when everybody who needs it has had it."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._takers = {sort: sum(asks(target, sort) for target in plan.targets) for sort in SORTS}
        self._streams: dict[str, Iterator[Question]] = {
            kind.value: stream(seed=plan.seed, kind=kind) for kind in (PoolKind.PROTOTYPES, PoolKind.RECORDS)
        }
        self._streams[simd.SORT] = simd.stream(seed=plan.seed, bounds=simd.EVERYTHING)
        self._next = dict.fromkeys(SORTS, 0)
        self._kept: dict[tuple[str, int], tuple[tuple[Question, ...], int]] = {}

    def take(self, sort: str, number: int) -> tuple[Question, ...]:
        """The questions of batch `number`, for one target."""
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

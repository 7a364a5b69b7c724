"""Time shared fairly between targets: next is always the one that has cost the least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from abiprobe.harness.batch import Job
from abiprobe.results.journal import BatchDone


def fairly(parts: Mapping[str, Iterator[Job]], spent: Callable[[str], float]) -> Iterator[Job]:
    """The jobs of all targets, next of the one that has `spent` the fewest seconds so far."""
    left = dict(parts)
    while left:
        target = min(left, key=spent)
        job = next(left[target], None)
        if job is None:
            del left[target]
        else:
            yield job


class Spent:
    """The CPU seconds that each target has cost; what is under way is taken to cost as much as what was."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._begun: Counter[str] = Counter()
        self._done: Counter[str] = Counter()

    def begin(self, job: Job) -> None:
        """Note a job that is handed out."""
        self._begun[job.target] += len(job.subjects)

    def end(self, batch: BatchDone) -> None:
        """Note a batch that is done."""
        own = batch.compile_seconds + batch.link_seconds + batch.run_seconds + batch.own_seconds
        self._seconds[batch.key.target] += own
        self._done[batch.key.target] += 1

    def __call__(self, target: str) -> float:
        """What a target has cost, with what is under way."""
        done = self._done[target]
        each = self._seconds[target] / done if done else 1.0
        return self._seconds[target] + each * (self._begun[target] - done)

"""Share a time budget between targets: the next job is always of the target that has used the least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from abiprobe.harness.observers.batch import Job
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import BatchDone


def cheapest_first(parts: Mapping[Target, Iterator[Job]], spent: Callable[[Target], float]) -> Iterator[Job]:
    """Yield the jobs of all targets, each time of the target that has `spent` the fewest seconds."""
    left = dict(parts)
    while left:
        target = min(left, key=spent)
        job = next(left[target], None)
        if job is None:
            del left[target]
        else:
            yield job


class TargetSeconds:
    """The CPU seconds used by each target; a batch in progress is estimated at the target's mean."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._begun: Counter[str] = Counter()
        self._done: Counter[str] = Counter()

    def begin(self, job: Job) -> None:
        """Record that a job was started."""
        self._begun[job.target.spelling] += len(job.subjects)

    def end(self, batch: BatchDone) -> None:
        """Record the cost of a finished batch."""
        own = batch.compile_seconds + batch.link_seconds + batch.run_seconds + batch.own_seconds
        self._seconds[batch.key.target] += own
        self._done[batch.key.target] += 1

    def __call__(self, target: Target) -> float:
        """Return the CPU seconds of a target, including the estimate for batches in progress."""
        name = target.spelling
        done = self._done[name]
        each = self._seconds[name] / done if done else 1.0
        return self._seconds[name] + each * (self._begun[name] - done)

"""Share a time budget between targets: the next job is always of the target that has used the least.

Batches are so small that each target gets some before the budget ends, by the time that it took on this machine before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from abiprobe.generators.pool import BATCH
from abiprobe.harness.base.cache import entry, recall, remember
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import BatchDone

FIRST = 0.25
"""The share of a budget in which every target is to be asked for the first time."""
ASSUMED = 0.02
"""CPU seconds for a question put to a compiler at a level, where nothing is remembered of the target."""
LEAST = 10
"""Questions in the smallest batch."""
_SECONDS = msgspec.json.Decoder(float)


def batch_size(subjects: Mapping[Target, Sequence[Subject]], seconds: float, jobs: int) -> int:
    """Return the number of questions in a batch of a run with a budget of seconds; 0 where batches need not be smaller."""
    each = sum(len(some) * remembered_seconds(target.spelling) for target, some in subjects.items())
    size = max(LEAST, int(FIRST * seconds * jobs / each)) if each else BATCH
    return size if size < BATCH else 0


def remembered_seconds(target: str) -> float:
    """The CPU seconds that a question put to one compiler at one level took on this machine, or are assumed."""
    known = recall(entry("seconds", target))
    return _SECONDS.decode(known) if known is not None else ASSUMED


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
        self._probes: Counter[str] = Counter()

    def begin(self, job: Job) -> None:
        """Record that a job was started."""
        self._begun[job.target.spelling] += len(job.subjects)

    def end(self, batch: BatchDone) -> None:
        """Record the cost of a finished batch."""
        self._seconds[batch.key.target] += batch.cpu_seconds
        self._done[batch.key.target] += 1
        self._probes[batch.key.target] += batch.probes

    def remember(self) -> None:
        """Keep what a question took on each target, for the budgets of later runs."""
        for target, probes in self._probes.items():
            if probes:
                remember(entry("seconds", target), msgspec.json.encode(self._seconds[target] / probes))

    def __call__(self, target: Target) -> float:
        """Return the CPU seconds of a target, including the estimate for batches in progress."""
        name = target.spelling
        done = self._done[name]
        each = self._seconds[name] / done if done else 1.0
        return self._seconds[name] + each * (self._begun[name] - done)

"""Prototypes put to lowerings, place by place and batch by batch, and the first lowering compared with each other one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.workers import Work, leaving, results
from abiprobe.harness.lowerings.comparing import Difference, differences
from abiprobe.harness.lowerings.compilers import compiler_at
from abiprobe.harness.lowerings.ir_text import UnreadableError
from abiprobe.harness.lowerings.lowering import Answers
from abiprobe.harness.lowerings.place import Pair, Place
from abiprobe.harness.lowerings.unit import texts_of
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.results.verdicts.record import Outcome

BATCH = 250
LOST = "the worker that read its IR died"


class Batch(msgspec.Struct, frozen=True):
    """Prototypes for one place, and the lowerings to put them to, of which each is compared with the first."""

    place: Place
    lowerings: tuple[Subject, ...]
    functions: tuple[Prototype, ...]


class Member(msgspec.Struct, frozen=True):
    """A prototype that two lowerings lower otherwise at one place."""

    place: Place
    pair: Pair
    function: Prototype
    differences: tuple[Difference, ...]


class Tally(msgspec.Struct):
    """The results of one lowering at one place: the number of prototypes by outcome and words, and the CPU seconds taken.

    `compared` and `differing` are those that the first lowering took as well; `abi` those that differ in more than
    optimization attributes. `nothing` says why not even the simplest unit was lowered. `failures` are counted by outcome and
    words; `examples` has the smallest prototype for each.
    """

    outcomes: Counter[str] = msgspec.field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    examples: dict[tuple[str, str], Prototype] = msgspec.field(default_factory=dict)
    warnings: Counter[str] = msgspec.field(default_factory=Counter)
    compared: int = 0
    differing: int = 0
    abi: int = 0
    nothing: str = ""
    cpu_seconds: float = 0.0

    def fail(self, key: tuple[str, str], function: Prototype, number: int = 1) -> None:
        """Count failures in these words, of which the smallest is an example."""
        self.failures[key] += number
        self.examples[key] = min(self.examples.get(key, function), function, key=cost)

    def add(self, other: Tally) -> None:
        """Add what the same lowering did at the same place with other prototypes."""
        self.outcomes += other.outcomes
        for key, function in other.examples.items():
            self.fail(key, function, other.failures[key])
        self.warnings += other.warnings
        self.compared += other.compared
        self.differing += other.differing
        self.abi += other.abi
        self.nothing = self.nothing or other.nothing
        self.cpu_seconds += other.cpu_seconds


class SweepResult(msgspec.Struct):
    """The results of batches: a tally for each place and lowering (by its number), and the prototypes that differ."""

    tallies: dict[tuple[Place, int], Tally] = msgspec.field(default_factory=dict)
    members: list[Member] = msgspec.field(default_factory=list)

    def add(self, other: SweepResult) -> None:
        """Add what came of another batch."""
        for key, tally in other.tallies.items():
            self.tallies.setdefault(key, Tally()).add(tally)
        self.members += other.members


def sweep(
    places: Sequence[Place], lowerings: tuple[Subject, ...], functions: Sequence[Prototype], jobs: int
) -> SweepResult:
    """Put every prototype to every lowering at every place, `jobs` batches at a time."""
    whole = SweepResult()
    every = tuple(batches(places, lowerings, functions))
    done = counted(results(WORK, every, jobs), "batches of prototypes", len(every))
    for _, part in sorted(done, key=lambda one: one[0]):
        whole.add(part)
    return whole


def batches(
    places: Iterable[Place], lowerings: tuple[Subject, ...], functions: Sequence[Prototype]
) -> Iterator[Batch]:
    """The batches of a sweep."""
    for place in places:
        for start in range(0, len(functions), BATCH):
            yield Batch(place, lowerings, tuple(functions[start : start + BATCH]))


def put(batch: Batch) -> SweepResult:
    """Return the results of one batch."""
    answered: dict[int, Answers] = {}
    swept = SweepResult()
    texts = texts_of(batch.functions)
    for number, subject in enumerate(batch.lowerings):
        tally = swept.tallies.setdefault((batch.place, number), Tally())
        answers = asked(batch, subject, texts, failed(answered.get(0)))
        if isinstance(answers, str):
            tally.nothing = answers
            continue
        answered[number] = answers
        count(tally, batch.functions, answers)
    first = answered.pop(0, None)
    if first is None:
        return swept
    for number, answers in answered.items():
        pair = batch.lowerings[0], batch.lowerings[number]
        swept.members += compared(batch, pair, (first, answers), swept.tallies[batch.place, number])
    return swept


def asked(batch: Batch, subject: Subject, texts: Sequence[str], unlikely: Container[int]) -> Answers | str:
    """Return the answers of a lowering about a batch, or the reason why it lowers nothing there."""
    with temporary() as folder:
        compiler = compiler_at(batch.place, subject, Path(folder))
        if compiler is None:
            return "it does not build for this target"
        answers = compiler.lower(batch.functions, texts, unlikely)
        return answers.nothing or answers


def failed(answers: Answers | None) -> frozenset[int]:
    """The prototypes that a lowering did not take: another one is likely to refuse them, too."""
    found = {} if answers is None else answers.found
    return frozenset(number for number, one in found.items() if isinstance(one, Failed))


def count(tally: Tally, functions: Sequence[Prototype], answers: Answers) -> None:
    """Count how prototypes ended with a lowering."""
    tally.cpu_seconds += answers.cpu_seconds
    tally.warnings.update(answers.warnings)
    for number, found in answers.found.items():
        if not isinstance(found, Failed):
            tally.outcomes[Outcome.OBSERVED.value] += 1
            continue
        tally.outcomes[found.outcome.value] += 1
        tally.fail((found.outcome.value, found.words), functions[number])


def compared(batch: Batch, pair: Pair, answers: tuple[Answers, Answers], tally: Tally) -> Iterator[Member]:
    """The prototypes that two lowerings lower otherwise, of those that both took."""
    for number, function in enumerate(batch.functions):
        left, right = (each.found[number] for each in answers)
        if isinstance(left, Failed) or isinstance(right, Failed):
            continue
        try:
            found = differences(left, right)
        except UnreadableError as error:
            tally.fail((Outcome.UNDECODED.value, str(error)), function)
            continue
        tally.compared += 1
        tally.differing += bool(found)
        tally.abi += any(one.abi for one in found)
        if found:
            yield Member(batch.place, pair, function, found)


def put_in_worker(batch: Batch) -> SweepResult:
    """Run `put` in a worker process that can be stopped."""
    return leaving(put, batch)


def lost(batch: Batch) -> SweepResult:
    """Return the result for a prototype on which workers die."""
    tally = Tally()
    for function in batch.functions:
        tally.fail((Outcome.NOT_RUN.value, LOST), function)
    return SweepResult({(batch.place, number): tally for number in range(len(batch.lowerings))})


def halves(batch: Batch) -> tuple[Batch, ...]:
    """Two batches of half the size."""
    if len(batch.functions) < 2:
        return ()
    middle = len(batch.functions) // 2
    both = batch.functions[:middle], batch.functions[middle:]
    return tuple(msgspec.structs.replace(batch, functions=part) for part in both)


def joined(_batch: Batch, parts: Sequence[SweepResult]) -> SweepResult:
    """Join the results of the halves of a batch."""
    whole = SweepResult()
    for part in parts:
        whole.add(part)
    return whole


WORK = Work(put_in_worker, lost, halves, joined)

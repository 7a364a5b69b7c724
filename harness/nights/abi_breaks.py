"""Compare the recorded observations of two runs for ABI breaks, independently of any verdict.

The model only supplies the values of a call; observations are compared only where both runs asked the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.nights.current_model import CurrentModel, CurrentModels
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.recording import Plain, Tape, unpacked
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.history.breaks import Break, Breaks, Broken
from abiprobe.results.history.compare import Side, matched
from abiprobe.results.journal.journal import BatchDone, Run


class RecordedBatch(msgspec.Struct, frozen=True):
    """One batch with its recorded observations and today's predictions."""

    batch: BatchDone
    tape: Tape
    foresights: CurrentModels


class RecordedSide:
    """The recorded probes of one side (target, subject and level) of a run, with the batch of each."""

    def __init__(self, run: Run, side: Side) -> None:
        lines = {(item.target, item.sort, item.number): item for item in run.asked}
        target, subject, level = side
        self.side, self.subject = side, parse_subject(subject)
        self.kept: dict[str, RecordedBatch] = {}
        for batch in run.batches:
            key = batch.key
            line = lines.get((target, key.sort, key.number)) or lines.get(("", key.sort, key.number))
            if (
                (key.target, key.subject, key.level) == (target, subject, level)
                and batch.raw
                and line is not None
            ):
                tape = tape_of(batch)
                self.kept |= dict.fromkeys(
                    tape.seen, RecordedBatch(batch, tape, CurrentModels(find_target(target), line.read()))
                )

    def request(self, probe: str) -> Plain:
        """Return the recorded question of a probe."""
        return self.kept[probe].tape.asked[probe]

    def seen(self, probe: str) -> Plain:
        """Return the recorded observation of a probe."""
        return self.kept[probe].tape.seen[probe]

    def foresight(self, probe: str) -> CurrentModel:
        """Return the current model's prediction for a probe and its batch."""
        kept = self.kept[probe]
        return kept.foresights.of(self.subject, kept.batch)


def tape_of(batch: BatchDone) -> Tape:
    """Return the record of a batch; raises `Problem` for one that another version of abiprobe wrote."""
    try:
        return unpacked(batch.raw)
    except ValueError as error:
        raise Problem(f"the observations of {batch.key.target} cannot be read ({error})") from error


def breaks(old: Run, new: Run, names: Mapping[str, str]) -> Breaks:
    """Find the probes that both runs observed with different results.

    Raises `Problem` when one of them keeps no observations.
    """
    for run in (old, new):
        if not any(batch.raw for batch in run.batches):
            raise Problem("a run keeps no observations", "those of `run --raw` and nights do")
    before, after = (
        sorted({(item.key.target, item.key.subject, item.key.level) for item in run.batches})
        for run in (old, new)
    )
    found: list[Broken] = []
    questions: dict[str, Question] = {}
    for was, side in matched(before, after, names):
        then, now = RecordedSide(old, was), RecordedSide(new, side)
        found.append(compare_sides(then, now))
        questions |= {
            item.probe: now.foresight(item.probe).questions[item.probe] for item in found[-1].breaks
        }
    return Breaks(tuple(found), questions)


def compare_sides(then: RecordedSide, now: RecordedSide) -> Broken:
    """Compare two sides probe by probe."""
    both = [probe for probe in then.kept if probe in now.kept]
    alike = [probe for probe in both if then.request(probe) == now.request(probe)]
    found = [one for probe in alike for one in compare_probe(probe, then, now)]
    return Broken(now.side, then.side, len(alike), len(both) - len(alike), tuple(found))


def compare_probe(probe: str, then: RecordedSide, now: RecordedSide) -> Iterator[Break]:
    """Yield the differences between two sides on one probe."""
    foresight = now.foresight(probe)
    plan, observer = foresight.plan(now.subject, probe), foresight.observer
    if isinstance(plan, tuple):
        return
    # Both were asked the same, so it does not matter here that the model of today may ask otherwise.
    before, after = (
        observer.replay(plan, side.seen(probe), observer.fingerprint(plan)) for side in (then, now)
    )
    if not isinstance(before, Failed) and not isinstance(after, Failed):
        yield from observer.breaks(plan, before, after)

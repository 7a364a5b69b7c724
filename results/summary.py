"""Count verdicts: one row per target, subject and level, and deviations by the clause they break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from sys import intern
from typing import TypeAlias

import msgspec

from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Difference, Judgement, Outcome, Verdict

COLUMNS = ("probes", "agrees", "deviates", "unspecified", "unobserved", "refused", "crashed")

BROKEN = {Outcome.CRASHED: "crashed", Outcome.TIMED_OUT: "crashed", Outcome.REFUSED: "refused"}
RANK = {Judgement.DEVIATES: 0, Judgement.AGREES: 1, Judgement.UNSPECIFIED: 2, Judgement.UNOBSERVED: 3}


class Row(msgspec.Struct, frozen=True):
    """The probes of one target, subject and level counted by result; the keys of `counts` are `COLUMNS`."""

    target: str
    subject: str
    level: str
    counts: dict[str, int]


class Example(msgspec.Struct, frozen=True):
    """A probe that deviates, with the question it asks (`None` when the journal does not keep it)."""

    verdict: Verdict
    question: Question | None


class Deviations(msgspec.Struct, frozen=True):
    """The deviations of one target that break one clause in one kind of probe, and who shows them."""

    target: str
    clause: str
    kind: str
    side: str
    probes: int
    subjects: dict[str, int]
    example: Example


def column(verdicts: Iterable[Verdict]) -> str:
    """Return the column in which a probe counts, from its verdicts of all kinds."""
    verdicts = list(verdicts)
    for verdict in verdicts:
        if verdict.outcome in BROKEN:
            return BROKEN[verdict.outcome]
    return min(verdicts, key=lambda verdict: RANK[verdict.verdict]).verdict.value


def rows(batches: Iterable[BatchDone]) -> tuple[Row, ...]:
    """One row per target, subject and level, in order."""
    counted: dict[tuple[str, str, str], Counter[str]] = {}
    for batch in batches:
        key = (batch.key.target, batch.key.subject, batch.key.level)
        counts = counted.setdefault(key, Counter())
        by_probe: dict[str, list[Verdict]] = {}
        for verdict in subject_verdicts(batch):
            by_probe.setdefault(verdict.probe, []).append(verdict)
        counts["probes"] += len(by_probe)
        counts.update(column(verdicts) for verdicts in by_probe.values())
    return tuple(
        Row(*key, {name: counts[name] for name in COLUMNS}) for key, counts in sorted(counted.items())
    )


def subject_verdicts(batch: BatchDone) -> Iterator[Verdict]:
    """Yield the verdicts on one subject: all but those on pairs, where either side may be wrong."""
    return (verdict for verdict in batch.verdicts if verdict.kind is not ProbeKind.PAIR)


DeviationKey: TypeAlias = tuple[str, str, str, str]
"""Target, subject, clause and probe of a deviation."""


def deviations(
    batches: Iterable[BatchDone], wanted: Container[DeviationKey] | None = None
) -> tuple[Deviations, ...]:
    """Deviations by target, clause, kind and side, most frequent first, each with its smallest example.

    With `wanted` only those in it.
    """
    found: dict[tuple[str, str, str, str], dict[str, Counter[str]]] = {}
    examples: dict[tuple[str, str, str, str], Example] = {}
    probes: dict[tuple[str, str, str, str], set[str]] = {}
    for batch in batches:
        questions = {kept.probe: kept.question for kept in batch.kept}
        subject = f"{batch.key.subject} -{batch.key.level}"
        for verdict in subject_verdicts(batch):
            if verdict.verdict is not Judgement.DEVIATES:
                continue
            for clause, side in broken(verdict):
                told = (batch.key.target, batch.key.subject, clause, verdict.probe)
                if wanted is not None and told not in wanted:
                    continue
                key = (batch.key.target, clause, verdict.kind.value, side)
                found.setdefault(key, {}).setdefault(subject, Counter())[verdict.probe] += 1
                probes.setdefault(key, set()).add(verdict.probe)
                example = Example(verdict, questions.get(verdict.probe))
                if key not in examples or size(example) < size(examples[key]):
                    examples[key] = example
    gathered = (
        Deviations(
            *key,
            len(probes[key]),
            {subject: len(counts) for subject, counts in sorted(subjects.items())},
            examples[key],
        )
        for key, subjects in found.items()
    )
    return tuple(
        sorted(gathered, key=lambda item: (-item.probes, item.target, item.clause, item.kind, item.side))
    )


OpenClause: TypeAlias = tuple[str, str]
"""A target and a clause that leaves questions open there."""


class Split(msgspec.Struct, frozen=True):
    """A question that the text leaves open and subjects answer differently.

    `subjects` counts, for each, the probes by the reading that it follows; `example` is the smallest probe on which
    they part.
    """

    target: str
    clause: str
    probes: int
    subjects: dict[str, dict[str, int]]
    example: Example


def splits(batches: Collection[BatchDone]) -> tuple[Split, ...]:
    """Return the open clauses that subjects read differently, most frequent first."""
    read: dict[OpenClause, dict[str, dict[str, str]]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.reading:
                by_probe = read.setdefault((batch.key.target, verdict.clause), {})
                by_probe.setdefault(verdict.probe, {})[intern(batch.key.subject)] = intern(verdict.reading)
    parted = {key: probes_apart(by_probe) for key, by_probe in read.items()}
    example = smallest_examples(batches, parted)
    found = [split(*key, by_probe, example[key]) for key, by_probe in parted.items() if by_probe]
    return tuple(sorted(found, key=lambda item: (-item.probes, item.target, item.clause)))


def probes_apart(by_probe: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The probes on which subjects part, with the reading of each subject."""
    return {probe: answers for probe, answers in by_probe.items() if len(set(answers.values())) > 1}


def smallest_examples(
    batches: Iterable[BatchDone], parted: Mapping[OpenClause, Mapping[str, object]]
) -> dict[OpenClause, Example]:
    """For each open clause the smallest question on which subjects part; questions are too large to be kept."""
    found: dict[OpenClause, Example] = {}
    for batch in batches:
        questions = {kept.probe: kept.question for kept in batch.kept}
        for verdict in batch.verdicts:
            key = (batch.key.target, verdict.clause)
            if verdict.reading and verdict.probe in parted[key]:
                example = Example(verdict, questions.get(verdict.probe))
                if key not in found or size(example) < size(found[key]):
                    found[key] = example
    return found


def split(target: str, clause: str, parted: Mapping[str, dict[str, str]], example: Example) -> Split:
    """One open clause, by the probes on which subjects part."""
    subjects: dict[str, Counter[str]] = {}
    for answers in parted.values():
        for subject, reading in answers.items():
            subjects.setdefault(subject, Counter())[reading] += 1
    counts = {subject: dict(sorted(counted.items())) for subject, counted in sorted(subjects.items())}
    return Split(target, clause, len(parted), counts, example)


def broken(verdict: Verdict) -> set[tuple[str, str]]:
    """The clauses that a deviation breaks, and on which side.

    One value in a wrong place moves those after it, so of misplaced values only the first on each side counts;
    what stands above a value moves nothing.
    """
    if not verdict.differences:
        return {(verdict.clause, verdict.outcome.value)}
    found = {(item.clause, item.side) for item in verdict.differences if item.above}
    for side in {item.side for item in verdict.differences}:
        first = first_misplaced(verdict, side)
        if first is not None:
            found.add((first.clause, side))
    return found


def first_misplaced(verdict: Verdict, side: str) -> Difference | None:
    """The first value on one side that is itself not as predicted."""
    return next((item for item in verdict.differences if item.side == side and not item.above), None)


def size(example: Example) -> tuple[int, str]:
    """Return the size of a question, for choosing examples; questions that were not stored come last."""
    text = "" if example.question is None else str(example.question)
    return (len(text) or 1 << 30, example.verdict.probe)


def exit_status(batches: Iterable[BatchDone]) -> int:
    """0 as expected, 1 a deviation, 3 nothing could be compared, 4 a tool broke."""
    found = {(verdict.verdict, verdict.outcome) for batch in batches for verdict in batch.verdicts}
    judgements, outcomes = {judgement for judgement, _ in found}, {outcome for _, outcome in found}
    if Judgement.DEVIATES in judgements:
        return 1
    if outcomes & {Outcome.CRASHED, Outcome.TIMED_OUT}:
        return 4
    return 0 if Judgement.AGREES in judgements else 3

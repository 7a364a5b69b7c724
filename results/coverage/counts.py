"""Count verdicts: one row per target, subject and level, and deviations by the clause they break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind, Question
from abiprobe.oracles.text.clause import recorded_clause
from abiprobe.results.coverage.differing import Comparison, comparisons
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, NOTHING_NAMED, coverage
from abiprobe.results.journal.journal import BatchDone, Named
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

COLUMNS = ("probes", "agrees", "deviates", "differs", "unspecified", "unobserved", "refused", "crashed")

BROKEN = {Outcome.CRASHED: "crashed", Outcome.TIMED_OUT: "crashed", Outcome.REFUSED: "refused"}
RANK = {
    judgement: rank
    for rank, judgement in enumerate(
        (
            Judgement.DEVIATES,
            Judgement.AGREES,
            Judgement.DIFFERS,
            Judgement.UNSPECIFIED,
            Judgement.UNOBSERVED,
        )
    )
}


class CountRow(msgspec.Struct, frozen=True):
    """The probes of one target, subject and level counted by result; the keys of `counts` are `COLUMNS`."""

    target: str
    subject: str
    level: str
    counts: dict[str, int]


class Example(msgspec.Struct, frozen=True):
    """A probe that deviates, with the question it asks (`None` when the journal does not keep it)."""

    verdict: Verdict
    question: Question | None

    @property
    def size(self) -> tuple[int, str]:
        """The size of the question, for choosing examples; questions that were not stored come last."""
        text = "" if self.question is None else str(self.question)
        return (len(text) or 1 << 30, self.verdict.probe)


class Deviations(msgspec.Struct, frozen=True):
    """The deviations of one target that break one clause in one kind of probe, and who shows them."""

    target: str
    clause: str
    kind: str
    side: str
    probes: int
    subjects: dict[str, int]
    example: Example

    @property
    def said(self) -> str:
        """The section of the clause, and what it says."""
        clause = recorded_clause(self.clause)
        return f"{clause.section}: {clause.says}"


def column(verdicts: Iterable[Verdict]) -> str:
    """Return the column in which a probe counts, from its verdicts of all kinds."""
    verdicts = list(verdicts)
    for verdict in verdicts:
        if verdict.outcome in BROKEN:
            return BROKEN[verdict.outcome]
    return min(verdicts, key=lambda verdict: RANK[verdict.verdict]).verdict.value


def differing_probes(compared: Iterable[Comparison]) -> frozenset[tuple[str, str, str, str]]:
    """Target, subject, level and probe of each open question on which the subject differs from another one, or contradicts itself."""
    return frozenset(
        (found.target, *asked, found.probe)
        for found in compared
        if found.differs
        for asked in found.concerned
    )


def rows(
    batches: Collection[BatchDone], compared: Iterable[Comparison] | None = None
) -> tuple[CountRow, ...]:
    """One row per target, subject and level, in order; `compared` are the `comparisons` of the batches, if they are known."""
    differing = differing_probes(comparisons(batches) if compared is None else compared)
    counted: dict[tuple[str, str, str], Counter[str]] = {}
    for batch in batches:
        key = (batch.key.target, batch.key.subject, batch.key.level)
        counts = counted.setdefault(key, Counter())
        by_probe: dict[str, list[Verdict]] = {}
        for verdict in subject_verdicts(batch):
            by_probe.setdefault(verdict.probe, []).append(verdict)
        counts["probes"] += len(by_probe)
        for probe, verdicts in by_probe.items():
            found = column(verdicts)
            # A tool that refuses it as well comes first.
            open_ = found == Judgement.UNSPECIFIED.value and (*key, probe) in differing
            counts[Judgement.DIFFERS.value if open_ else found] += 1
    return tuple(
        CountRow(*key, {name: counts[name] for name in COLUMNS}) for key, counts in sorted(counted.items())
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
            for clause, side in verdict.broken:
                deviation = (batch.key.target, batch.key.subject, clause, verdict.probe)
                if wanted is not None and deviation not in wanted:
                    continue
                key = (batch.key.target, clause, verdict.kind.value, side)
                found.setdefault(key, {}).setdefault(subject, Counter())[verdict.probe] += 1
                probes.setdefault(key, set()).add(verdict.probe)
                example = Example(verdict, questions.get(verdict.probe))
                if key not in examples or example.size < examples[key].size:
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


def exit_status(batches: Collection[BatchDone], named: Named = NOTHING_NAMED) -> int:
    """Return the exit status where known deviations count, too.

    1 a deviation or subjects that differ where no text decides, 4 a tool broke, 3 nothing was compared at all or of something
    that was named, else 0.
    """
    found = {(verdict.verdict, verdict.outcome) for batch in batches for verdict in batch.verdicts}
    judgements, outcomes = {judgement for judgement, _ in found}, {outcome for _, outcome in found}
    compared = comparisons(batches)
    if Judgement.DEVIATES in judgements or any(item.differs for item in compared):
        return 1
    if outcomes & {Outcome.CRASHED, Outcome.TIMED_OUT}:
        return 4
    return 0 if coverage(batches, compared, named).complete else NOTHING_COMPARED

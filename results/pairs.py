"""Pairs of subjects: what does not arrive when code of one calls code of the other, and whether that is explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Judgement, Verdict
from abiprobe.results.summary import Example, size

Key = tuple[str, str, str]
"""Target, optimisation level, probe."""


class Pairing(msgspec.Struct, frozen=True):
    """The calls that code of `caller` made of code of `callee`: how many were compared, and how many failed.

    `explained` of those that failed concern a probe on which the text says that one of the two deviates, or leaves
    open what they do; the others are what only a pair can show.
    """

    target: str
    level: str
    caller: str
    callee: str
    probes: int
    failed: int
    explained: int
    example: Example | None


def pairings(batches: Iterable[BatchDone]) -> tuple[Pairing, ...]:
    """One entry for each pair of subjects, target and level, in order; examples are unexplained ones if there are any."""
    batches = tuple(batches)
    wrong = {(key, batch.key.subject) for batch in batches for key in deviating(batch)}
    found: dict[tuple[str, str, str, str], list[tuple[Verdict, bool, Question | None]]] = {}
    for batch in batches:
        questions = {kept.probe: kept.question for kept in batch.kept}
        target, level = batch.key.target, batch.key.level
        for verdict in batch.verdicts:
            if verdict.kind is ProbeKind.PAIR and verdict.verdict is not Judgement.UNOBSERVED:
                key = (target, level, verdict.probe)
                known = any((key, who) in wrong for who in (batch.key.subject, verdict.partner))
                entry = found.setdefault((target, level, batch.key.subject, verdict.partner), [])
                entry.append((verdict, known, questions.get(verdict.probe)))
    return tuple(pairing(*key, entries) for key, entries in sorted(found.items()))


def parted(batches: Iterable[BatchDone]) -> dict[tuple[str, str], frozenset[str]]:
    """By target and probe, the subjects between which a call failed, at any level."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.kind is ProbeKind.PAIR and verdict.verdict is Judgement.DEVIATES:
                key = (batch.key.target, verdict.probe)
                found[key] = found.get(key, frozenset()) | {batch.key.subject, verdict.partner}
    return found


def pairing(
    target: str, level: str, caller: str, callee: str, entries: list[tuple[Verdict, bool, Question | None]]
) -> Pairing:
    """One pair of subjects."""
    failed = [entry for entry in entries if entry[0].verdict is Judgement.DEVIATES]
    explained = sum(known for _, known, _ in failed)
    examples = [
        Example(verdict, question)
        for verdict, known, question in failed
        if not known or explained == len(failed)
    ]
    return Pairing(
        target,
        level,
        caller,
        callee,
        len(entries),
        len(failed),
        explained,
        min(examples, key=size, default=None),
    )


def deviating(batch: BatchDone) -> Iterator[Key]:
    """The probes on which a subject alone deviates from the text."""
    for verdict in batch.verdicts:
        if verdict.kind is not ProbeKind.PAIR and verdict.verdict is Judgement.DEVIATES:
            yield batch.key.target, batch.key.level, verdict.probe

"""Count failed calls between code of two subjects, and those that a deviation of either explains."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.coverage.counts import Example
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Verdict

Key = tuple[str, str, str]
"""Target, optimisation level, probe."""


class Pairing(msgspec.Struct, frozen=True):
    """The calls that code of `caller` made of code of `callee`: how many were compared, and how many failed.

    `explained` of those that failed concern a probe on which the text says that one of the two deviates, or leaves
    open what they do, or types that the two are known to lay out in different ways; the others are what only a pair can show.
    """

    target: str
    level: str
    caller: str
    callee: str
    probes: int
    failed: int
    explained: int
    example: Example | None


class Calls(msgspec.Struct):
    """The calls between two subjects, counted as they come; `examples` are the smallest that fail, by whether it is explained."""

    probes: int = 0
    failed: int = 0
    explained: int = 0
    examples: dict[bool, Example] = {}

    def add(self, verdict: Verdict, example: Example, *, known: bool) -> None:
        """Count one call; `known` says that a failure would be explained."""
        self.probes += 1
        if verdict.verdict is not Judgement.DEVIATES:
            return
        self.failed += 1
        self.explained += known
        if known not in self.examples or example.size < self.examples[known].size:
            self.examples[known] = example

    def pairing(self, target: str, level: str, caller: str, callee: str) -> Pairing:
        """Return the result for a pair of subjects."""
        example = self.examples.get(False) or self.examples.get(True)
        return Pairing(target, level, caller, callee, self.probes, self.failed, self.explained, example)


def pairings(batches: Collection[BatchDone]) -> tuple[Pairing, ...]:
    """One entry for each pair of subjects, target and level, in order; examples are unexplained ones if there are any."""
    wrong = {(key, batch.key.subject) for batch in batches for key in deviating(batch)}
    found: dict[tuple[str, str, str, str], Calls] = {}
    for batch in batches:
        questions = {kept.probe: kept.question for kept in batch.kept}
        target, level = batch.key.target, batch.key.level
        for verdict in batch.verdicts:
            if verdict.kind is ProbeKind.PAIR and verdict.verdict is not Judgement.UNOBSERVED:
                key = (target, level, verdict.probe)
                apart = any((key, who) in wrong for who in (batch.key.subject, verdict.partner))
                known = apart or bool(verdict.quirks)
                calls = found.setdefault((target, level, batch.key.subject, verdict.partner), Calls())
                calls.add(verdict, Example(verdict, questions.get(verdict.probe)), known=known)
    return tuple(calls.pairing(*key) for key, calls in sorted(found.items()))


def failed_calls(batches: Iterable[BatchDone]) -> dict[tuple[str, str], frozenset[str]]:
    """Map each target and probe to the subjects between which a call failed, at any level."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.kind is ProbeKind.PAIR and verdict.verdict is Judgement.DEVIATES:
                key = (batch.key.target, verdict.probe)
                found[key] = found.get(key, frozenset()) | {batch.key.subject, verdict.partner}
    return found


def deviating(batch: BatchDone) -> Iterator[Key]:
    """The probes on which a subject alone deviates from the text."""
    for verdict in batch.verdicts:
        if verdict.kind is not ProbeKind.PAIR and verdict.verdict is Judgement.DEVIATES:
            yield batch.key.target, batch.key.level, verdict.probe

"""The clauses that a batch tested: those behind its comparisons, by the predictions that were compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from abiprobe.harness.observers.observer import Observer
from abiprobe.oracles.language.question import Probe, ProbeKind, Question
from abiprobe.results.coverage.decided import COMPARED, clause_counts
from abiprobe.results.verdicts.record import Verdict

ClauseCounts: TypeAlias = tuple[dict[str, tuple[int, int]], tuple[tuple[str, int], ...]]
"""For each clause how many probes agree with it and deviate from it, and of how many it decided a compared byte."""


class Deciding:
    """The clauses that decide what each kind of probe of a batch compares, worked out once for all its subjects."""

    def __init__(self, observer: Observer[Any, Any, Any], questions: Mapping[str, Question]) -> None:
        self._observer, self._questions = observer, questions
        self._found: dict[tuple[str, ProbeKind], frozenset[str]] = {}

    def clauses(self, probe: str, kind: ProbeKind) -> frozenset[str]:
        """The clauses that decide what one kind of probe compares; none for a probe of another batch."""
        found = self._found.get((probe, kind))
        if found is None:
            question = self._questions.get(probe)
            found = frozenset() if question is None else self._observer.clauses(Probe(probe, question), kind)
            self._found[probe, kind] = found
        return found


def by_clause(verdicts: Sequence[Verdict], deciding: Deciding) -> ClauseCounts:
    """Return the number of probes that agree with and deviate from each clause."""
    decided = compared(verdicts, deciding)
    counts = Counter(clause for clauses in decided.values() for clause in clauses)
    return clause_counts(decided, verdicts), tuple(sorted(counts.items()))


def compared(verdicts: Iterable[Verdict], deciding: Deciding) -> dict[str, AbstractSet[str]]:
    """Map each probe to the clauses that decided at least one byte that was compared."""
    asked: dict[str, set[ProbeKind]] = {}
    for verdict in verdicts:
        if verdict.verdict in COMPARED:
            asked.setdefault(verdict.probe, set()).add(verdict.kind)
    return {
        probe: frozenset().union(*(deciding.clauses(probe, kind) for kind in kinds))
        for probe, kinds in asked.items()
    }

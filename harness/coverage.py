"""Which clauses a batch put to the test: what its verdicts compared, by the prediction that they were compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import subject_options
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.coverage.decided import COMPARED, of_call, of_layout, standing, told
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Verdict

OF_VECTORS = frozenset({ProbeKind.VARIANTS, ProbeKind.LANES, ProbeKind.VECTOR_TYPES})

Predicted: TypeAlias = Layout | Assignment | Unspecified | Unsupported


class Deciding:
    """The clauses that decide what each kind of probe of a batch compares, worked out once for all its subjects.

    `questions` are those of the batch by probe, `known` what the model is known to say of them.
    """

    def __init__(
        self,
        target: str,
        options: LayoutOptions,
        questions: Mapping[str, Question],
        known: Mapping[str, Predicted] = MappingProxyType({}),
    ) -> None:
        self._model, self._registers = find_model(target, options), find_target(target)[0].registers
        self._questions, self._predicted = questions, dict(known)
        self._found: dict[tuple[str, ProbeKind], frozenset[str]] = {}

    def clauses(self, probe: str, kind: ProbeKind) -> frozenset[str]:
        """The clauses that decide what one kind of probe compares; none for a probe of another batch."""
        found = self._found.get((probe, kind))
        if found is None:
            found = self._work_out(probe, kind) if probe in self._questions else frozenset()
            self._found[probe, kind] = found
        return found

    def _work_out(self, probe: str, kind: ProbeKind) -> frozenset[str]:
        question, model = self._questions[probe], self._model
        if isinstance(question, Prototype) and kind in OF_VECTORS and isinstance(model, VectorModel):
            return frozenset(filter(None, told(model.variants(question))))
        match self.predicted(probe):
            case Layout() as layout:
                return of_layout(layout)
            case Assignment() as assignment:
                assert isinstance(question, Prototype)
                return of_call(assignment, len(question.params), self._registers, kind)
            case _:
                return frozenset()

    def predicted(self, probe: str) -> Predicted:
        """What the model says of a question, asked once. Raises what the model raises."""
        if probe not in self._predicted:
            question, model = self._questions[probe], self._model
            self._predicted[probe] = (
                model.assign(question) if isinstance(question, Prototype) else model.layout(question)
            )
        return self._predicted[probe]


def each_with_clauses(batches: Iterable[BatchDone], questions: Mapping[str, Question]) -> list[BatchDone]:
    """The answers of several subjects to `questions`, with their clauses; what decides is worked out once for each model."""
    known: dict[tuple[str, LayoutOptions], Deciding] = {}
    found = []
    for done in batches:
        key = done.key.target, subject_options(parse_subject(done.key.subject))
        if key not in known:
            known[key] = Deciding(*key, questions)
        found.append(with_clauses(done, known[key]))
    return found


def with_clauses(done: BatchDone, deciding: Deciding) -> BatchDone:
    """A batch that says which clauses it has put to its subject, and how it stands by each."""
    clauses, counts = by_clause(done.verdicts, deciding)
    return msgspec.structs.replace(done, clauses=clauses, compared=counts)


def by_clause(
    verdicts: Sequence[Verdict], deciding: Deciding
) -> tuple[dict[str, tuple[int, int]], tuple[tuple[str, int], ...]]:
    """For each clause how many probes agree with it and deviate from it, and of how many it decided a compared byte."""
    decided = compared(verdicts, deciding)
    counts = Counter(clause for clauses in decided.values() for clause in clauses)
    return standing(decided, verdicts), tuple(sorted(counts.items()))


def compared(verdicts: Iterable[Verdict], deciding: Deciding) -> dict[str, AbstractSet[str]]:
    """For each probe the clauses that decided at least one byte that was compared."""
    asked: dict[str, set[ProbeKind]] = {}
    for verdict in verdicts:
        if verdict.verdict in COMPARED:
            asked.setdefault(verdict.probe, set()).add(verdict.kind)
    return {
        probe: frozenset().union(*(deciding.clauses(probe, kind) for kind in kinds))
        for probe, kinds in asked.items()
    }

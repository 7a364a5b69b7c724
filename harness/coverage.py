"""Which clauses a batch put to the test: what its verdicts compared, by the prediction that they were compared with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import layout_options
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Layout
from abiprobe.oracles.question import ProbeKind, Question, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.coverage.decided import of_call, of_layout, told, was_compared
from abiprobe.results.journal import BatchDone

if TYPE_CHECKING:
    from abiprobe.harness.batch import Job

OF_VECTORS = frozenset({ProbeKind.VARIANTS, ProbeKind.LANES, ProbeKind.VECTOR_TYPES})
REMEMBERED = 4096


def with_clauses(job: Job, batches: Sequence[BatchDone]) -> list[BatchDone]:
    """Batches that say how many of their probes each clause decided."""
    questions = {probe(question).id: question for question in job.questions}
    return [msgspec.structs.replace(done, compared=decided(done, questions)) for done in batches]


def decided(done: BatchDone, questions: dict[str, Question]) -> tuple[tuple[str, int], ...]:
    """How many probes each clause decided at least one compared byte of."""
    subject = parse_subject(done.key.subject)
    options = layout_options(subject.options, subject.family.name)
    found: dict[str, set[str]] = {}
    for verdict in done.verdicts:
        if was_compared(verdict) and verdict.probe in questions:
            clauses = deciding(options, done.key.target, questions[verdict.probe], verdict.kind)
            found.setdefault(verdict.probe, set()).update(clauses)
    counted: dict[str, int] = {}
    for rested in found.values():
        for clause in rested:
            counted[clause] = counted.get(clause, 0) + 1
    return tuple(sorted(counted.items()))


@lru_cache(maxsize=REMEMBERED)
def deciding(options: LayoutOptions, target: str, question: Question, kind: ProbeKind) -> frozenset[str]:
    """The clauses that decide what one kind of probe of a question compares."""
    model = find_model(target, options)
    if not isinstance(question, Prototype):
        layout = model.layout(question)
        return of_layout(layout) if isinstance(layout, Layout) else frozenset()
    if kind in OF_VECTORS and isinstance(model, VectorModel):
        return frozenset(filter(None, told(model.variants(question))))
    answer = model.assign(question)
    if not isinstance(answer, Assignment):
        return frozenset()
    return of_call(answer, len(question.params), find_target(target)[0].registers, kind)

"""Which clauses a batch put to the test: what its verdicts compared, by the prediction that they were compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import layout_options
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Layout
from abiprobe.oracles.question import ProbeKind, Question, probe
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.coverage.decided import of_call, of_layout, standing, told, was_compared
from abiprobe.results.journal import BatchDone

OF_VECTORS = frozenset({ProbeKind.VARIANTS, ProbeKind.LANES, ProbeKind.VECTOR_TYPES})
REMEMBERED = 4096


def with_clauses(done: BatchDone, questions: Iterable[Question]) -> BatchDone:
    """A batch that says which clauses it has put to its subject, and how it stands by each; `questions` are its own."""
    decided = compared(done, {probe(question).id: question for question in questions})
    counts = Counter(clause for clauses in decided.values() for clause in clauses)
    return msgspec.structs.replace(
        done, clauses=standing(decided, done.verdicts), compared=tuple(sorted(counts.items()))
    )


def compared(done: BatchDone, questions: Mapping[str, Question]) -> dict[str, set[str]]:
    """For each probe the clauses that decided at least one byte that was compared."""
    subject = parse_subject(done.key.subject)
    options = layout_options(subject.options, subject.family.name)
    found: dict[str, set[str]] = {}
    for verdict in done.verdicts:
        if was_compared(verdict) and verdict.probe in questions:
            clauses = deciding(options, done.key.target, questions[verdict.probe], verdict.kind)
            found.setdefault(verdict.probe, set()).update(clauses)
    return found


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

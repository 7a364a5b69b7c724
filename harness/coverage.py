"""Which clauses a batch put to the test: what its verdicts compared, by the prediction that they were compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import layout_options
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.oracles.question import ProbeKind, Question
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.vfabi import VectorModel
from abiprobe.results.coverage.decided import of_call, of_layout, standing, told, was_compared
from abiprobe.results.journal import BatchDone

OF_VECTORS = frozenset({ProbeKind.VARIANTS, ProbeKind.LANES, ProbeKind.VECTOR_TYPES})
REMEMBERED = 4096


def with_clauses(done: BatchDone, questions: Mapping[str, Question]) -> BatchDone:
    """A batch that says which clauses it has put to its subject, and how it stands by each; `questions` are its own, by probe."""
    decided = compared(done, questions)
    counts = Counter(clause for clauses in decided.values() for clause in clauses)
    return msgspec.structs.replace(
        done, clauses=standing(decided, done.verdicts), compared=tuple(sorted(counts.items()))
    )


def compared(done: BatchDone, questions: Mapping[str, Question]) -> dict[str, set[str]]:
    """For each probe the clauses that decided at least one byte that was compared."""
    subject = parse_subject(done.key.subject)
    options = layout_options(subject.options, subject.family.name)
    found: dict[str, set[str]] = {}
    asked = {identity: Asked(identity, question) for identity, question in questions.items()}
    for verdict in done.verdicts:
        if was_compared(verdict) and verdict.probe in asked:
            clauses = deciding(options, done.key.target, asked[verdict.probe], verdict.kind)
            found.setdefault(verdict.probe, set()).update(clauses)
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A question by its identity: comparing whole questions takes longer than what is remembered of them."""

    identity: str
    question: Question = field(compare=False)


@lru_cache(maxsize=REMEMBERED)
def deciding(options: LayoutOptions, target: str, asked: Asked, kind: ProbeKind) -> frozenset[str]:
    """The clauses that decide what one kind of probe of a question compares."""
    model, question = find_model(target, options), asked.question
    if isinstance(question, Prototype) and kind in OF_VECTORS and isinstance(model, VectorModel):
        return frozenset(filter(None, told(model.variants(question))))
    match predicted(options, target, asked):
        case Layout() as layout:
            return of_layout(layout)
        case Assignment() as assignment:
            assert isinstance(question, Prototype)
            return of_call(assignment, len(question.params), find_target(target)[0].registers, kind)
        case _:
            return frozenset()


def predicted(
    options: LayoutOptions, target: str, asked: Asked
) -> Layout | Assignment | Unspecified | Unsupported:
    """What the model says of a question, whichever kinds of probe ask about it. Raises what the model raises."""
    if isinstance(asked.question, Prototype):
        return assigned(options, target, asked)
    return find_model(target, options).layout(asked.question)


@lru_cache(maxsize=REMEMBERED)
def assigned(options: LayoutOptions, target: str, asked: Asked) -> Assignment | Unspecified | Unsupported:
    """What the model says of a call. Raises what the model raises."""
    assert isinstance(asked.question, Prototype)
    return find_model(target, options).assign(asked.question)

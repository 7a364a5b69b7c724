"""How much of what is aimed at a target a run has asked: its tour, the edges of its clauses, and pairs of features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.generators import pairwise
from abiprobe.generators.tours import SORT
from abiprobe.harness import edges, tours
from abiprobe.oracles.question import Question, probe
from abiprobe.results.coverage.decided import was_compared
from abiprobe.results.journal import BatchDone, Run
from abiprobe.results.record import Outcome


class Crossed(msgspec.Struct, frozen=True):
    """How much of its target's tour one subject was observed on.

    `transitions` are those that the subject can cross: of the model's it `lacks` those that need a type that it has not.
    """

    target: str
    subject: str
    level: str
    signatures: int
    observed: int
    transitions: int
    crossed: int
    lacks: int = 0


class Aimed(msgspec.Struct, frozen=True):
    """What of a target was compared of the edges of its clauses and of the pairs of features.

    `one_sided` are the clauses of which one side of an edge was compared and the other was not, `unasked` those of which neither was;
    `without` are the clauses that decide something of every neighbour, so that they have no other side.
    """

    target: str
    edges: int
    both_sides: int
    one_sided: tuple[str, ...]
    unasked: tuple[str, ...]
    without: tuple[str, ...]
    pairs: int
    met: int
    impossible: int


def observed(batches: Iterable[BatchDone]) -> set[str]:
    """The probes of which something was compared."""
    return {verdict.probe for batch in batches for verdict in batch.verdicts if was_compared(verdict)}


def toured(run: Run) -> Iterator[Crossed]:
    """The tours of a run, a row for each target, subject and level."""
    asked: dict[tuple[str, str, str], list[BatchDone]] = {}
    for batch in run.batches:
        if batch.key.sort == SORT:
            asked.setdefault((batch.key.target, batch.key.subject, batch.key.level), []).append(batch)
    for (target, subject, level), batches in asked.items():
        seen, missing = observed(batches), unsupported(batches)
        crossed: dict[str, set[tuple[str, int]]] = {}
        for part in tours.parts(target):
            for signature, numbers in zip(part.signatures, part.crossed, strict=True):
                crossed.setdefault(probe(signature).id, set()).update((part.mode, one) for one in numbers)
        found = set().union(*(crossed[identity] for identity in crossed.keys() & seen))
        possible = set().union(*(crossed[identity] for identity in crossed.keys() - (missing - seen)))
        lacks = len(set().union(*crossed.values()) - possible)
        yield Crossed(
            target, subject, level, len(crossed), len(crossed.keys() & seen), len(possible), len(found), lacks
        )


def unsupported(batches: Iterable[BatchDone]) -> set[str]:
    """The probes that need what their compiler lacks."""
    return {
        verdict.probe
        for batch in batches
        for verdict in batch.verdicts
        if verdict.outcome is Outcome.UNSUPPORTED
    }


def aimed(run: Run) -> Iterator[Aimed]:
    """What a run asked of edges and pairs, target by target; nothing of those for which none are looked for."""
    for target in run.header.plan.targets:
        found = edges.found(target)
        if not found:
            continue
        seen = observed(batch for batch in run.batches if batch.key.target == target)
        sides = {edge.clause: (any_of(edge.inside, seen), any_of(edge.outside, seen)) for edge in found}
        without = tuple(edge.clause for edge in found if not edge.outside)
        counted = {clause: both for clause, both in sides.items() if clause not in without}
        rows = [row for row in pairwise.rows()[0] if any_of(asked(row), seen)]
        yield Aimed(
            target,
            len(counted),
            sum(all(both) for both in counted.values()),
            tuple(clause for clause, both in counted.items() if any(both) and not all(both)),
            tuple(clause for clause, both in counted.items() if not any(both)),
            without,
            len(set(pairwise.pairs())) - len(pairwise.missing()),
            len({pair for row in rows for pair in pairwise.of(row)}),
            len(pairwise.missing()),
        )


def asked(row: pairwise.Row) -> tuple[Question, ...]:
    """The question of a row of the covering array."""
    question = pairwise.question(row)
    return () if question is None else (question,)


def any_of(questions: Iterable[Question], seen: set[str]) -> bool:
    """Whether one of some questions was compared."""
    return any(probe(question).id in seen for question in questions)

"""Measure which tours, clause edges and feature pairs of each target a run covered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.generators import pairwise
from abiprobe.harness.runs import clause_edges, tours
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.coverage.decided import was_compared
from abiprobe.results.journal.journal import BatchDone, Run
from abiprobe.results.verdicts.record import Outcome


class TourCoverage(msgspec.Struct, frozen=True):
    """Tour coverage of one subject.

    `transitions` counts those of the model that the subject can cross; `lacks` those that need an unsupported type.
    """

    target: str
    subject: str
    level: str
    signatures: int
    observed: int
    transitions: int
    crossed: int
    lacks: int = 0


class EdgeCoverage(msgspec.Struct, frozen=True):
    """Coverage of one target's clause edges and feature pairs.

    `one_sided` lists clauses with only one side of the edge compared, `unasked` those with neither, and `without` those
    that decide every neighbouring question too, so that no other side exists.
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


def compared_probes(batches: Iterable[BatchDone]) -> set[str]:
    """Return the ids of the probes with at least one compared bit."""
    return {verdict.probe for batch in batches for verdict in batch.verdicts if was_compared(verdict)}


def tour_coverage(run: Run) -> Iterator[TourCoverage]:
    """Yield the tour coverage of each target, subject and level of a run."""
    asked: dict[tuple[str, str, str], list[BatchDone]] = {}
    for batch in run.batches:
        if batch.key.sort is Sort.TOURS:
            asked.setdefault((batch.key.target, batch.key.subject, batch.key.level), []).append(batch)
    for (target, subject, level), batches in asked.items():
        seen, missing = compared_probes(batches), unsupported_probes(batches)
        crossed: dict[str, set[tuple[str, int]]] = {}
        for part in tours.parts(find_target(target)):
            for signature, numbers in zip(part.signatures, part.crossed, strict=True):
                crossed.setdefault(probe(signature).id, set()).update((part.mode, one) for one in numbers)
        found = set().union(*(crossed[identity] for identity in crossed.keys() & seen))
        possible = set().union(*(crossed[identity] for identity in crossed.keys() - (missing - seen)))
        lacks = len(set().union(*crossed.values()) - possible)
        yield TourCoverage(
            target, subject, level, len(crossed), len(crossed.keys() & seen), len(possible), len(found), lacks
        )


def unsupported_probes(batches: Iterable[BatchDone]) -> set[str]:
    """Return the ids of the probes that need a feature the compiler lacks."""
    return {
        verdict.probe
        for batch in batches
        for verdict in batch.verdicts
        if verdict.outcome is Outcome.UNSUPPORTED
    }


def edge_coverage(run: Run) -> Iterator[EdgeCoverage]:
    """Yield the coverage of clause edges and feature pairs for each target that has edges."""
    for target in targets_of(run.header.plan):
        found = clause_edges.edges_of(target)
        if not found:
            continue
        seen = compared_probes(batch for batch in run.batches if batch.key.target == target.spelling)
        sides = {edge.clause: (any_of(edge.inside, seen), any_of(edge.outside, seen)) for edge in found}
        without = tuple(edge.clause for edge in found if not edge.outside)
        counted = {clause: both for clause, both in sides.items() if clause not in without}
        rows = [row for row in pairwise.rows()[0] if any_of(questions_of_row(row), seen)]
        yield EdgeCoverage(
            target.spelling,
            len(counted),
            sum(all(both) for both in counted.values()),
            tuple(clause for clause, both in counted.items() if any(both) and not all(both)),
            tuple(clause for clause, both in counted.items() if not any(both)),
            without,
            len(set(pairwise.pairs())) - len(pairwise.missing()),
            len({pair for row in rows for pair in pairwise.pairs_of_row(row)}),
            len(pairwise.missing()),
        )


def questions_of_row(row: pairwise.Row) -> tuple[Question, ...]:
    """The question of a row of the covering array."""
    question = pairwise.question(row)
    return () if question is None else (question,)


def any_of(questions: Iterable[Question], seen: set[str]) -> bool:
    """Return whether at least one of some questions was compared."""
    return any(probe(question).id in seen for question in questions)

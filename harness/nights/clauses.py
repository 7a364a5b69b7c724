"""Which clauses a batch has put to a subject, and how it stood by each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.oracles.place import Layout, Passed
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.record import Judgement, Verdict


def deciding(plans: Iterable[CallPlan | LayoutPlan]) -> dict[str, frozenset[str]]:
    """The clauses that decided the prediction of each probe."""
    return {plan.probe: frozenset(of_plan(plan)) - {""} for plan in plans}


def of_plan(plan: CallPlan | LayoutPlan) -> Iterator[str]:
    """The clauses that decided one prediction."""
    if isinstance(plan, LayoutPlan):
        if plan.silence is None:
            yield from of_layout(plan.predicted)
        return
    assignment = plan.assignment
    for passed in (*assignment.params, *(() if assignment.result is None else (assignment.result,))):
        yield from of_value(passed)
    for hidden in assignment.hidden:
        yield from (piece.clause for piece in hidden.pieces)


def of_layout(layout: Layout) -> Iterator[str]:
    """The clauses behind size, alignment and members."""
    yield layout.clause
    yield from (member.clause for member in layout.members)


def of_value(passed: Passed) -> Iterator[str]:
    """The clauses behind the places of a parameter or result."""
    yield passed.clause
    for piece in passed.pieces:
        yield piece.clause
        yield piece.extension_clause


def standing(
    decided: Mapping[str, frozenset[str]], verdicts: Iterable[Verdict]
) -> dict[str, tuple[int, int]]:
    """For each clause the number of probes that agree and that deviate from it.

    A probe that breaks one clause says nothing about the others that it needs.
    """
    broken: dict[str, set[str]] = {}
    agreeing: set[str] = set()
    for verdict in verdicts:
        if verdict.kind is ProbeKind.PAIR:
            continue
        if verdict.verdict is Judgement.DEVIATES:
            broken.setdefault(verdict.probe, set()).add(verdict.clause)
        elif verdict.verdict is Judgement.AGREES:
            agreeing.add(verdict.probe)
    found: dict[str, tuple[int, int]] = {}
    for probe in agreeing - set(broken):
        for clause in decided.get(probe, ()):
            good, bad = found.get(clause, (0, 0))
            found[clause] = (good + 1, bad)
    for clauses in broken.values():
        for clause in clauses - {""}:
            good, bad = found.get(clause, (0, 0))
            found[clause] = (good, bad + 1)
    return dict(sorted(found.items()))

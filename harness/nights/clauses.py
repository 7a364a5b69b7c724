"""The clauses that decide what a model says of a question."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.oracles.place import Layout, Passed


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

"""Who is asked what: the sorts of questions of a target, and the subjects that can answer them."""

from __future__ import annotations

from abiprobe.generators import simd
from abiprobe.generators.pool import PoolKind
from abiprobe.harness.dispatch import has_calls
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.find import installed, parse_subject
from abiprobe.harness.vectors.batch import asks_vectors
from abiprobe.oracles.standins import stand_ins
from abiprobe.results.journal import Plan

SORTS = (PoolKind.PROTOTYPES.value, PoolKind.RECORDS.value, simd.SORT)
"""The sorts of questions that a run has."""


def offered(plan: Plan) -> dict[str, tuple[str, ...]]:
    """The subjects of a plan that each target can be put to.

    Raises `Problem` for a subject that is not installed for any target of the plan.
    """
    subjects = [parse_subject(text) for text in plan.subjects]
    for subject in subjects:
        if not installed(subject, plan.targets):
            raise Problem(
                f"compiler {subject.name!r} is not installed for {', '.join(plan.targets)}",
                "see: abiprobe list toolchains",
            )
    return {
        target: tuple(subject.spelling for subject in subjects if installed(subject, (target,)))
        for target in plan.targets
    }


def asks(target: str, sort: str) -> bool:
    """Whether a target is asked questions of one sort."""
    if asks_vectors(target):
        return sort == simd.SORT
    if sort == PoolKind.PROTOTYPES.value:
        return has_calls(target) or any(
            target.partition("@")[0] in standin.targets and standin.calls is not None
            for standin in stand_ins().values()
        )
    return sort == PoolKind.RECORDS.value


def answers(spelling: str, target: str, sort: str) -> bool:
    """Whether a subject is asked questions of one sort about a target: a stand-in knows its own limits."""
    family = parse_subject(spelling).family
    standin = stand_ins().get(family.standin)
    if standin is None:
        return sort != PoolKind.PROTOTYPES.value or has_calls(target) or bool(family.assembly)
    return standin.layouts if sort == PoolKind.RECORDS.value else standin.calls is not None

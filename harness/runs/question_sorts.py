"""Which sorts of questions (records, prototypes, vector functions) a target takes, and which subjects can answer."""

from __future__ import annotations

from abiprobe.generators import simd
from abiprobe.generators.pool import PoolKind
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.observers.registry import has_calls, serving
from abiprobe.harness.subjects.find import discover, installed, parse_subject
from abiprobe.oracles.lang import Record
from abiprobe.oracles.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal import Plan

SORTS = (PoolKind.PROTOTYPES.value, PoolKind.RECORDS.value, simd.SORT)
"""The sorts of questions that a run has."""


def subjects_by_target(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Return, for each target of a plan, the subjects that are installed for it.

    Raises `Problem` for a subject that is not installed for any target of the plan.
    """
    subjects = [parse_subject(text) for text in plan.subjects]
    for subject in subjects:
        if not installed(subject, plan.targets):
            raise Problem(
                f"compiler {subject.name!r} is not installed for {', '.join(plan.targets)}",
                hint(
                    subject.name,
                    (one.spelling for one in discover(plan.targets)),
                    "see: abiprobe list toolchains",
                ),
            )
    return {
        target: tuple(subject.spelling for subject in subjects if installed(subject, (target,)))
        for target in plan.targets
    }


def takes_sort(target: str, sort: str) -> bool:
    """Whether questions of one sort apply to a target."""
    if find_target(target)[0].vectors:
        return sort == simd.SORT
    return sort == PoolKind.RECORDS.value or (sort == PoolKind.PROTOTYPES.value and has_calls(target))


def sort_of(target: str, question: Question) -> str:
    """Return the sort of a question for a target."""
    if isinstance(question, Record):
        return PoolKind.RECORDS.value
    return simd.SORT if find_target(target)[0].vectors else PoolKind.PROTOTYPES.value


def can_answer(spelling: str, target: str, sort: str) -> bool:
    """Whether a subject can answer questions of one sort for a target."""
    return serving(target, parse_subject(spelling), calls=sort != PoolKind.RECORDS.value) is not None

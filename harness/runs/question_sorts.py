"""Sorts of questions (records, prototypes, vector functions) of a target, and the subjects that can answer them.

Prototypes of functions with a `target` attribute are sorts of their own, since a batch runs on one machine.
"""

from __future__ import annotations

from functools import cache

from abiprobe.generators import classes, simd, wide_vectors
from abiprobe.generators.pool import BATCH, PoolKind
from abiprobe.harness.observers.registry import has_calls, has_classes, serving
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.selection import not_installed
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.lang import Isa, Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Unsupported
from abiprobe.results.journal.journal import Plan

CALLS = (PoolKind.PROTOTYPES.value, *wide_vectors.SORTS)
"""The sorts of questions about calls, in which one subject may call another."""
SORTS = (*CALLS, PoolKind.RECORDS.value, simd.SORT, classes.SORT)
"""The sorts of questions that a run has."""
LAYOUTS = (PoolKind.RECORDS.value, classes.SORT)
"""The sorts of questions about layouts, which do not depend on the optimisation level."""


def subjects_by_target(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Return, for each target of a plan, the subjects that are installed for it.

    Raises `Problem` for a subject that is not installed for any target of the plan.
    """
    subjects = [parse_subject(text) for text in plan.subjects]
    for subject in subjects:
        if not installed(subject, plan.targets):
            raise not_installed(subject.spelling, plan.targets)
    return {
        target: tuple(subject.spelling for subject in subjects if installed(subject, (target,)))
        for target in plan.targets
    }


def takes_sort(target: str, sort: str) -> bool:
    """Return whether questions of one sort apply to a target."""
    if find_target(target)[0].vectors:
        return sort == simd.SORT
    if sort in wide_vectors.SORTS:
        return has_calls(target) and has_isa(target, wide_vectors.SORTS[sort])
    if sort == classes.SORT:
        return has_classes(target)
    return sort == PoolKind.RECORDS.value or (sort == PoolKind.PROTOTYPES.value and has_calls(target))


@cache
def has_isa(target: str, isa: Isa) -> bool:
    """Return whether the `target` attribute means something for calls of a target."""
    return not isinstance(find_model(target).assign(Prototype("f", None, (), isa=isa)), Unsupported)


def sort_of(question: Question) -> str:
    """Return the sort of a question."""
    if isinstance(question, Record):
        return PoolKind.RECORDS.value
    if isinstance(question, Class):
        return classes.SORT
    if question.simd:
        return simd.SORT
    asked = (sort for sort, isa in wide_vectors.SORTS.items() if isa is question.isa)
    return next(asked, PoolKind.PROTOTYPES.value)


def can_answer(spelling: str, target: str, sort: str) -> bool:
    """Return whether a subject can answer questions of one sort for a target; no language but C has a `target` attribute."""
    subject = parse_subject(spelling)
    if sort in wide_vectors.SORTS and subject.family.language:
        return False
    return serving(target, subject, type_of(sort)) is not None


def type_of(sort: str) -> type[Question]:
    """The type of the questions of a sort."""
    if sort == classes.SORT:
        return Class
    return Record if sort == PoolKind.RECORDS.value else Prototype


def batch_size(sort: str) -> int:
    """Return the number of drawn questions of one sort in a batch."""
    return wide_vectors.SIZE if sort in wide_vectors.SORTS else BATCH


def batches_drawn(plan: Plan, sort: str) -> int:
    """Return the number of batches of one sort that a run draws."""
    return -(-drawn(plan, sort) // batch_size(sort))


def drawn(plan: Plan, sort: str) -> int:
    """Return the number of questions of one sort that a run draws."""
    return -(-plan.cases // wide_vectors.EVERY) if sort in wide_vectors.SORTS else plan.cases

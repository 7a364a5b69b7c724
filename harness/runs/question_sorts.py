"""Sorts of questions (records, prototypes, vector functions) of a target, and the subjects that can answer them.

Prototypes of functions with a `target` attribute are sorts of their own, since a batch runs on one machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from abiprobe.generators import wide_vectors
from abiprobe.generators.pool import BATCH
from abiprobe.harness.observers.registry import (
    has_calls,
    has_classes,
    has_cxx_calls,
    has_names,
    serving,
)
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.selection import not_installed
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Isa, Prototype, Record
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Unsupported
from abiprobe.results.journal.journal import Plan

CALLS: tuple[Sort, ...] = (Sort.PROTOTYPES, *wide_vectors.SORTS, Sort.CXX_CALLS)
"""The sorts of questions about calls, in which one subject may call another."""
SORTS: tuple[Sort, ...] = (
    *CALLS,
    Sort.RECORDS,
    Sort.VECTOR_FUNCTIONS,
    Sort.CLASSES,
    Sort.NAMES,
    Sort.TABLES,
)
"""The sorts of questions that a run has."""
LAYOUTS = (Sort.RECORDS, Sort.CLASSES, Sort.NAMES, Sort.TABLES)
"""The sorts of questions about layouts, names and tables, which do not depend on the optimisation level."""


def subjects_of(plan: Plan) -> tuple[Subject, ...]:
    """Return the subjects of a plan; raises `Problem` for a name of none."""
    return tuple(map(parse_subject, plan.subjects))


def targets_of(plan: Plan) -> tuple[Target, ...]:
    """Return the targets of a plan; raises `UnknownTargetError` for a name of none."""
    return tuple(map(find_target, plan.targets))


def subjects_by_target(plan: Plan) -> dict[Target, tuple[Subject, ...]]:
    """Return, for each target of a plan, the subjects that are installed for it.

    Raises `Problem` for a subject that is not installed for any target of the plan.
    """
    subjects, targets = subjects_of(plan), targets_of(plan)
    for subject in subjects:
        if not installed(subject, targets):
            raise not_installed(subject, targets)
    return {
        target: tuple(subject for subject in subjects if installed(subject, (target,))) for target in targets
    }


def takes_sort(target: Target, sort: Sort) -> bool:
    """Return whether questions of one sort apply to a target."""
    if target.vectors:
        return sort is Sort.VECTOR_FUNCTIONS
    if sort in wide_vectors.SORTS:
        return has_calls(target) and has_isa(target, wide_vectors.SORTS[sort])
    if sort is Sort.CLASSES:
        return has_classes(target)
    if sort in {Sort.NAMES, Sort.TABLES}:
        return has_names(target)
    if sort is Sort.CXX_CALLS:
        return has_cxx_calls(target)
    return sort is Sort.RECORDS or (sort is Sort.PROTOTYPES and has_calls(target))


@cache
def has_isa(target: Target, isa: Isa) -> bool:
    """Return whether the `target` attribute means something for calls of a target."""
    return not isinstance(target.model().assign(Prototype("f", None, (), isa=isa)), Unsupported)


def sort_of(question: Question) -> Sort:
    """Return the sort of a question."""
    if isinstance(question, Record):
        return Sort.RECORDS
    if isinstance(question, Class):
        return Sort.CLASSES
    if isinstance(question, CxxPrototype):
        return Sort.CXX_CALLS
    if isinstance(question, Entity):
        return Sort.NAMES
    if isinstance(question, Tables):
        return Sort.TABLES
    if question.simd:
        return Sort.VECTOR_FUNCTIONS
    asked = (sort for sort, isa in wide_vectors.SORTS.items() if isa is question.isa)
    return next(asked, Sort.PROTOTYPES)


def can_answer(subject: Subject, target: Target, sort: Sort) -> bool:
    """Return whether a subject can answer questions of one sort for a target; no language but C has a `target` attribute."""
    if sort in wide_vectors.SORTS and subject.family.language:
        return False
    return serving(target, subject, type_of(sort)) is not None


def is_asked(target: Target, sort: Sort, subjects: Iterable[Subject]) -> bool:
    """Return whether questions of one sort are put to any of these subjects for a target."""
    return takes_sort(target, sort) and any(can_answer(one, target, sort) for one in subjects)


def type_of(sort: Sort) -> type[Question | Entity]:
    """The type of the questions of a sort."""
    if sort is Sort.CLASSES:
        return Class
    if sort is Sort.NAMES:
        return Entity
    if sort is Sort.TABLES:
        return Tables
    if sort is Sort.CXX_CALLS:
        return CxxPrototype
    return Record if sort is Sort.RECORDS else Prototype


def batch_size(plan: Plan, sort: Sort) -> int:
    """Return the number of drawn questions of one sort in a batch of a run."""
    size = plan.batch or BATCH
    return max(1, wide_vectors.SIZE * size // BATCH) if sort in wide_vectors.SORTS else size


def batches_drawn(plan: Plan, sort: Sort) -> int:
    """Return the number of batches of one sort that a run draws."""
    return -(-drawn(plan, sort) // batch_size(plan, sort))


def drawn(plan: Plan, sort: Sort) -> int:
    """Return the number of questions of one sort that a run draws."""
    return -(-plan.cases // wide_vectors.EVERY) if sort in wide_vectors.SORTS else plan.cases

"""Preparation of a run: what the cache may lack is derived from models before anything is asked.

Tours, small scopes in order, and golden vectors that a model contradicts. Most take seconds and a hundred megabytes, so workers
derive them, one for each core, and keep them in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from abiprobe.harness.base.cache import cache_dir, obstacle
from abiprobe.harness.base.progress import steps
from abiprobe.harness.base.workers import Work, results
from abiprobe.harness.runs import golden, small_scope, tours
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.runs.schedule import scope_sorts, tour_batches
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Plan

COST = (Sort.SMALL_CALLS, Sort.TOURS, None, Sort.SMALL_RECORDS)
"""Sorts that take longest come first, so that no worker is left with it at the end; `None` is of golden vectors."""


class Derived(NamedTuple):
    """The tour or a small scope of a target, by its name, or the golden vectors that its model contradicts."""

    sort: Sort | None
    target: str

    def entries(self) -> tuple[Path, ...]:
        """Return the entries of the cache that keep it."""
        target = find_target(self.target)
        match self.sort:
            case None:
                return (golden.entry_of(target),)
            case Sort.TOURS:
                return (tours.entry_of(target),)
            case sort:
                return small_scope.entries(target, sort)


def prepare(plan: Plan, workers: int) -> None:
    """Derive what a run needs and the cache lacks; without a cache that can be written, the run does so by itself."""
    if obstacle(cache_dir()):
        return
    lacking = [one for one in needed(plan) if not all(path.exists() for path in one.entries())]
    lacking.sort(key=lambda one: COST.index(one.sort))
    if not lacking:
        return
    with steps("questions of models", len(lacking)) as step:
        for number, _ in results(Work(derive, leave), lacking, min(workers, len(lacking))):
            step(f"{lacking[number].target} {lacking[number].sort or 'golden vectors'}")


def needed(plan: Plan) -> Iterator[Derived]:
    """Yield what a run needs of each target."""
    yield from (Derived(Sort.TOURS, target.spelling) for target in tour_batches(plan))
    for target in targets_of(plan):
        yield from (Derived(sort, target.spelling) for sort in scope_sorts(plan, target))
    yield from (Derived(None, target.spelling) for target in golden.asked_of(targets_of(plan)))


def derive(one: Derived) -> None:
    """Derive something and keep it."""
    target = find_target(one.target)
    if one.sort is None:
        golden.contradictions(target)
    elif one.sort is Sort.TOURS:
        tours.parts(target)
    else:
        small_scope.first(target, one.sort)
        small_scope.second(target, one.sort)
        # The next one a worker derives is another one's.
        small_scope.ordered.cache_clear()


def leave(_: Derived) -> None:
    """Leave what cost a worker its life to the run itself."""

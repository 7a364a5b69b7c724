"""The focus of a run on clauses and traits: only questions that one of them has are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.observers.registry import observer_of
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS, is_followed
from abiprobe.oracles.text.clause import find_clause, is_clause_name, sheets
from abiprobe.results.causes.traits import traits

Q = TypeVar("Q", bound=Question)
BARREN = 5000
"""After so many questions in a row none of which is wanted no further one is drawn."""
Wanted = Callable[[Question], bool]


def targets_in(targets: Sequence[Target], only: Sequence[str]) -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """Return those of the targets that `only` names, all if none, and its clauses and traits.

    Raises `Problem` for a target that is not among them and for a clause that none of them follows.
    """
    named = tuple(one for one in only if one in TARGETS)
    found = tuple(one for one in targets if one.name in named) if named else tuple(targets)
    for name in named:
        if name not in {one.name for one in targets}:
            raise Problem(f"--only {name}: it is not among the targets of the run", "name it as a TARGET")
    rest = tuple(one for one in only if one not in TARGETS)
    for name in filter(is_clause_name, rest):
        expect_followed(name, found)
    return found, rest


def expect_followed(name: str, targets: Sequence[Target]) -> None:
    """Raise `Problem` for a clause that does not exist, or that no target follows."""
    try:
        find_clause(name)
    except KeyError:
        known = [clause.id for sheet in sheets() for clause in sheet.clauses.values()]
        raise Problem(f"unknown clause {name!r}", hint(name, known, "see: abiprobe list clauses")) from None
    if not any(is_followed(name.partition(":")[0], one.name) for one in targets):
        raise Problem(f"none of {', '.join(map(str, targets))} follows {name}", f"abiprobe explain {name}")


def expect_traits(only: Sequence[str], seed: int) -> None:
    """Raise `Problem` for a trait that no drawn question has."""
    for name in only:
        if is_clause_name(name):
            continue
        seen: set[str] = set()
        drawn = chain.from_iterable(islice(stream(seed=seed, kind=kind), BARREN) for kind in POOL_SORTS)
        for question in drawn:
            seen |= traits(question)
            if name in seen:
                break
        else:
            raise Problem(f"no question has the trait {name!r}", hint(name, seen, "a report names traits"))


def wanted_by(only: Sequence[str], targets: Sequence[Target]) -> Wanted:
    """Return whether a question has one of the traits, or one of the clauses decides something of it on a target."""
    clauses = frozenset(filter(is_clause_name, only))
    named = frozenset(only) - clauses
    following = [
        one for one in targets if any(is_followed(name.partition(":")[0], one.name) for name in clauses)
    ]

    def is_wanted(question: Question) -> bool:
        if named & traits(question):
            return True
        asked = probe(question)
        return any(clauses & observer_of(one, question).cited(asked) for one in following)

    return is_wanted


def focused(found: Iterator[Q], is_wanted: Wanted) -> Iterator[Q]:
    """Yield the questions that are wanted, until none is for long."""
    barren = 0
    for question in found:
        barren += 1
        if is_wanted(question):
            barren = 0
            yield question
        elif barren == BARREN:
            return

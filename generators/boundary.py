"""The edges of clauses: a question that a clause decides, and questions one step away that it does not.

Where a limit lies is for the model to say. A question is reduced as long as the clause still decides it: that is as close to
the edge as it gets from above, and every simpler one is beyond. Then it is made larger step by step until the clause lets go of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

import msgspec

from abiprobe.generators.growth import larger
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.oracles.language.question import Question

STEPS = 40
"""So many steps up are taken in search of the other edge."""
TRIED = 400
"""So many neighbours of a question are looked at."""
BEYOND = 2
"""Questions kept of each side that a clause does not decide."""

Decides: TypeAlias = Callable[[Question], frozenset[str]]
"""The clauses that decide what is compared of a question; none where the model has no answer."""


class Edge(msgspec.Struct, frozen=True):
    """A clause's edge: questions that the clause decides, and neighbouring questions that it does not."""

    clause: str
    inside: tuple[Question, ...]
    outside: tuple[Question, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions on both sides."""
        return (*self.inside, *self.outside)


def edges(decides: Decides, sample: Iterable[Question]) -> Iterator[Edge]:
    """An edge for each clause that decides anything in a sample."""
    for clause, question in first_cited(decides, sample).items():
        yield edge(decides, clause, question)


def first_cited(decides: Decides, sample: Iterable[Question]) -> Mapping[str, Question]:
    """Map each clause to the cheapest question of a sample that it decides."""
    found: dict[str, Question] = {}
    for question in sorted(sample, key=cost):
        for clause in sorted(decides(question)):
            found.setdefault(clause, question)
    return found


def edge(decides: Decides, clause: str, question: Question) -> Edge:
    """Both edges of a clause, from a question that it decides."""
    least = shrunk(decides, clause, question)
    below = (one for one in candidates(least) if usable(decides, one))
    inside, outside = [least], list(islice(below, BEYOND))
    most, above = grown(decides, clause, least)
    if above:
        inside += [most] if most != least else []
        outside += above
    return Edge(clause, tuple(inside), tuple(dict.fromkeys(outside)))


def shrunk(decides: Decides, clause: str, question: Question) -> Question:
    """The simplest question on the way down from a question that a clause still decides."""
    while True:
        simpler = (one for one in islice(candidates(question), TRIED) if clause in decides(one))
        found = next(simpler, None)
        if found is None:
            return question
        question = found


def grown(decides: Decides, clause: str, question: Question) -> tuple[Question, list[Question]]:
    """The last question on the way up that a clause decides, and larger ones that it does not."""
    for _ in range(STEPS):
        around = list(islice(larger(question), TRIED))
        beyond = [one for one in around if (decided := decides(one)) and clause not in decided]
        if beyond:
            return question, beyond[:BEYOND]
        further = next((one for one in around if clause in decides(one)), None)
        if further is None:
            break
        question = further
    return question, []


def usable(decides: Decides, question: Question) -> bool:
    """Return whether the model answers a question."""
    return bool(decides(question))

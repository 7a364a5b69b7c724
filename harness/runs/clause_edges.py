"""The edges of clauses of each target, found once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

import msgspec

from abiprobe.generators.boundary import Decides, Edge, edges
from abiprobe.generators.pairwise import covering
from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.base.progress import counted
from abiprobe.harness.observers.call_observer import of_value
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.runs import tours
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.text.place import Assignment
from abiprobe.oracles.unmodelled.opened import with_text

_DECODER = msgspec.json.Decoder(tuple[Edge, ...])
FOLDER = "edges"
SEED = 0
SAMPLED = 400
"""Questions of each sort among which the clauses are looked for, beside tours and pairs of features."""
REMEMBERED = 1 << 15


@cache
def edges_of(target: Target) -> tuple[Edge, ...]:
    """Return the clause edges of a target; none for vector functions and where there is no model."""
    target = with_text(target)
    if target.vectors or not target.modelled:
        return ()
    path = entry(FOLDER, f"{target}-{tours.version()}.json")
    return kept(path, _DECODER, lambda: found_edges(target))


def found_edges(target: Target) -> tuple[Edge, ...]:
    """Find the edges anew, which takes seconds."""
    asked = tuple(sample(target))
    decide = decides(target)
    # What a question decides is remembered, so the edges begin with what is known of the sample.
    for question in counted(asked, f"clauses of {target}", len(asked)):
        decide(question)
    cited = frozenset[str]().union(*map(decide, asked))
    return tuple(counted(edges(decide, asked), f"edges of the clauses of {target}", len(cited)))


def questions(target: Target) -> tuple[Question, ...]:
    """Return the questions on both sides of every clause edge of a target."""
    return tuple(dict.fromkeys(question for edge in edges_of(target) for question in edge.questions))


def sample(target: Target) -> Iterator[Question]:
    """Questions in which most clauses of a target decide something."""
    yield from tours.questions(target)
    yield from covering()
    for kind in POOL_SORTS:
        yield from islice(stream(seed=SEED, kind=kind), SAMPLED)


def decides(target: Target) -> Decides:
    """The clauses that decide what a question is about: a layout, or the last argument of a call and its result."""
    return lru_cache(REMEMBERED)(lambda question: clauses(target, question))


def clauses(target: Target, question: Question) -> frozenset[str]:
    """See `decides`; none where the question cannot be asked."""
    observer, asked = observer_of(target, question), probe(question)
    answer = observer.answer(asked)
    if not isinstance(answer, Assignment) or not observer.prepare((asked,)).plans:
        return observer.cited(asked)
    found = [piece.clause for one in answer.hidden for piece in one.pieces]
    for value in (*answer.params[-1:], *(() if answer.result is None else (answer.result,))):
        found += of_value(value)
    return frozenset(found) - {""}

"""The edges of clauses of each target, found once for each version of abiprobe and kept in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

import msgspec

from abiprobe.generators.boundary import SORT, Decides, Edge, edges
from abiprobe.generators.pairwise import covering
from abiprobe.generators.pool import PoolKind, stream
from abiprobe.harness import tours
from abiprobe.harness.caching import cache_dir, kept
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.nights.clauses import of_layout, of_value
from abiprobe.harness.prepare import predict
from abiprobe.oracles import registry
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.question import Question, probe

_DECODER = msgspec.json.Decoder(tuple[Edge, ...])
SEED = 0
SAMPLED = 400
"""Questions of each sort among which the clauses are looked for, beside tours and pairs of features."""
REMEMBERED = 1 << 15


@cache
def found(target: str) -> tuple[Edge, ...]:
    """The edges of a target's clauses; of vector functions none are looked for."""
    if registry.find_target(target)[0].vectors:
        return ()
    path = cache_dir() / SORT / f"{target}-{tours.version()}.json"
    return kept(path, _DECODER, lambda: tuple(edges(decides(registry.find_model(target)), sample(target))))


def questions(target: str) -> tuple[Question, ...]:
    """What lies on both sides of every edge of a target."""
    return tuple(dict.fromkeys(question for edge in found(target) for question in edge.questions))


def sample(target: str) -> Iterator[Question]:
    """Questions in which most clauses of a target decide something."""
    yield from tours.questions(target)
    yield from covering()
    for kind in PoolKind:
        yield from islice(stream(seed=SEED, kind=kind), SAMPLED)


def decides(model: AbiModel) -> Decides:
    """The clauses that decide what a question is about: a layout, or the last argument of a call and its result."""
    return lru_cache(REMEMBERED)(lambda question: clauses(model, question))


def clauses(model: AbiModel, question: Question) -> frozenset[str]:
    """See `decides`; none where the model has no answer."""
    plan = predict(model, probe(question))
    match plan:
        case LayoutPlan() if plan.silence is None:
            found = list(of_layout(plan.predicted))
        case CallPlan(assignment=assignment):
            result = () if assignment.result is None else (assignment.result,)
            hidden = [piece.clause for one in assignment.hidden for piece in one.pieces]
            found = [
                clause for one in (*assignment.params[-1:], *result) for clause in of_value(one)
            ] + hidden
        case _:
            return frozenset()
    return frozenset(found) - {""}

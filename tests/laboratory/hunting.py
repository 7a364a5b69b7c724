"""Directed draws: for a wrong model that no recorded probe tells from the right one, a question on which they differ.

Asking two models costs no compiler, so far more is asked than is recorded. What is found is put to the compilers next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import TypeAlias

from abiprobe.generators import simd
from abiprobe.generators.growth import larger
from abiprobe.generators.pairwise import covering
from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.harness.runs import clause_edges
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.options import LayoutOptions
from laboratory.confirmed import asked, told
from laboratory.loading import targets
from laboratory.menu import Mutant
from laboratory.trial import Wrong

Asked: TypeAlias = tuple[str, LayoutOptions]
"""A target, dialect included, and the options that its model follows."""
Found: TypeAlias = tuple[str, Question]
"""A question that tells a wrong model, and the target that it is to be put for."""
DRAWN = 300
"""Questions of each sort that are drawn at random."""
SEED = 77
GROWN = 2
"""Larger neighbours of each question at an edge."""


@cache
def pool(target: str) -> tuple[Question, ...]:
    """Edges of clauses and what lies around them, pairs of features, and random questions."""
    about = find_target(target)
    if about.vectors:
        return tuple(islice(simd.stream(seed=SEED), DRAWN))
    near = clause_edges.questions(about.in_dialect(""))
    around = [one for question in near for one in islice(larger(question), GROWN)]
    drawn = [one for kind in POOL_SORTS for one in islice(stream(seed=SEED, kind=kind), DRAWN)]
    return tuple(dict.fromkeys((*near, *covering(), *around, *drawn)))


@cache
def answers(target: str, options: LayoutOptions) -> tuple[object, ...]:
    """What the right model answers to the pool."""
    model = find_model(target, options)
    return tuple(asked(model, question) for question in pool(target))


def hunt(packages: Sequence[str], mutant: Mutant, wanted: Iterable[Asked]) -> tuple[Found, ...]:
    """For each target under some options the first question that tells a mutant; for a process of its own."""
    wrong = Wrong(targets(packages, mutant))
    found = (first(wrong, target, options) for target, options in wanted)
    return tuple(one for one in found if one is not None)


def first(wrong: Wrong, target: str, options: LayoutOptions) -> Found | None:
    """The first question to which a wrong model gives another answer, or none at all."""
    for question, right in zip(pool(target), answers(target, options), strict=True):
        try:
            answer = asked(wrong.model(target, options), question)
        except Exception:  # noqa: BLE001 - a wrong model may raise anything
            return target, question
        if answer != right and told(answer) != told(right):
            return target, question
    return None

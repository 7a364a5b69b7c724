"""No quirk reaches further than its name says: it changes no drawn question that lacks what its examples have."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest
from msgspec import structs

from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk, under_all
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.place import Assignment, Passed
from abiprobe.results.causes.traits import alike, needed, traits

from .quirk_examples import answer, dialects, examples

CASES = 120
"""Questions of each sort for a target: more than 10,000 for all of them."""
QUICK = ("riscv64-lp64d", "x86_64-sysv")


@cache
def drawn() -> dict[Question, frozenset[str]]:
    """Drawn questions, each with its traits."""
    every = (one for sort in POOL_SORTS for one in islice(stream(seed=48, kind=sort), CASES))
    return {one: alike(traits(one)) for one in every}


def seen(model: AbiModel, question: Question) -> object:
    """The answer of a model without what its places do not show: the clause of an extension that there is none of."""
    found = answer(model, question)
    if not isinstance(found, Assignment):
        return found
    return structs.replace(
        found,
        params=tuple(map(plain, found.params)),
        result=found.result and plain(found.result),
    )


def plain(passed: Passed) -> Passed:
    pieces = (
        structs.replace(piece, extension_clause=piece.extension_clause if piece.extension else "")
        for piece in passed.pieces
    )
    return structs.replace(passed, pieces=tuple(pieces))


def changed(target: Target, quirk: Quirk) -> list[Question]:
    """The drawn questions of which a quirk makes others."""
    bases = dialects(target, quirk)
    return [
        one
        for one in drawn()
        if any(seen(base.model(), one) != seen(base.under(under_all([quirk])).model(), one) for base in bases)
    ]


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in TARGETS]
)
def test_a_quirk_changes_no_question_without_the_traits_of_its_examples(name: str) -> None:
    target, wrong = find_target(name), []
    for quirk in QUIRKS.values():
        if not quirk.reaches(name):
            continue
        needs = [needed(traits(one)) for one in examples(name)[quirk.name]]
        wrong += [
            f"{quirk.name}: {one}"
            for one in changed(target, quirk)
            if not any(need <= drawn()[one] for need in needs)
        ]
    assert wrong == []

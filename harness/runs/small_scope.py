"""The small scope of each target in the order in which its questions tell clauses apart; ordering them takes a second or two."""

from __future__ import annotations

from functools import cache
from itertools import chain

import msgspec

from abiprobe.generators.pool import BATCH
from abiprobe.generators.small_scope import SORT, Cites, calls, ranked
from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.observers.calls import of_value
from abiprobe.harness.runs.tours import version
from abiprobe.oracles import registry
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Layout, Passed, Register

_DECODER = msgspec.json.Decoder(tuple[Prototype, ...])
FIRST = 200
"""So many of the small scope are asked by every run that is no quick one."""


@cache
def questions(target: str) -> tuple[Prototype, ...]:
    """The small scope of a target; none for vector functions and where there is no model."""
    about = registry.find_target(target)[0]
    if about.vectors or not about.modelled:
        return ()
    model = registry.find_model(target)
    return tuple(ranked(calls(model), cites(model)))


@cache
def first(target: str) -> tuple[Prototype, ...]:
    """The part of the small scope that every run begins with; kept in the cache."""
    path = entry(SORT.replace(" ", "-"), f"{target}-{version()}.json")
    return kept(path, _DECODER, lambda: questions(target)[:FIRST])


def parts(target: str) -> int:
    """How many parts the small scope of a target has."""
    every = len(questions(target))
    return 1 + -(-(every - FIRST) // BATCH) if every else 0


def part(target: str, number: int) -> tuple[Prototype, ...]:
    """A part of the small scope; each but the first is a batch that only a night asks about."""
    start = FIRST + (number - 1) * BATCH
    return questions(target)[start : start + BATCH] if number else first(target)


def cites(model: AbiModel) -> Cites:
    """What a model rests its answer on about the record of a question: clauses of its layout and places, and their kinds."""

    def of_question(question: Prototype) -> frozenset[str]:
        answer = model.assign(question)
        if not isinstance(answer, Assignment):
            return frozenset()
        last = answer.params[len(question.params) - (not question.variadic) :][:1]
        about = last if answer.result is None else (answer.result,)
        record = question.result or question.arguments[-1 - question.variadic].type
        assert isinstance(record, Record)
        laid_out = model.layout(record)
        members = laid_out.members if isinstance(laid_out, Layout) else ()
        words_used = (words for passed in about for words in words_of(passed))
        return frozenset(chain(words_used, (one.clause for one in members))) - {""}

    return of_question


def words_of(passed: Passed) -> chain[str]:
    """The clauses and the kinds of places of a value."""
    places = (
        piece.place.name.rstrip("0123456789") if isinstance(piece.place, Register) else "stack"
        for piece in passed.pieces
    )
    return chain(of_value(passed), (passed.passing.value,), places)

"""Shared code of observers of calls: the model's answer about a prototype, and its clauses."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Generic

from abiprobe.harness.observers.observer import A, Observer, P, S
from abiprobe.harness.observers.recording import digest
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Enum, Prototype, declared
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Assignment, Passed, Passing, Unspecified, Unsupported
from abiprobe.results.coverage.decided import of_call

RESULT = "result"
"""The name of the result among the parts of a call."""


class CallObserver(Observer[P, S, A], ABC, Generic[P, S, A]):
    """An observer of prototypes, whose places the model assigns."""

    @cached_property
    def c_model(self) -> AbiModel:
        """The model of its key, which takes long to look up for each question."""
        return self.key.model

    def says(self, asked: Probe) -> Assignment | Unspecified | Unsupported:
        try:
            return self.c_model.assign(prototype(asked))
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
        except AbsentError as absence:
            return Unsupported(str(absence))

    def prediction(self, asked: Probe) -> bytes:
        """A digest of the places, and of the signs of enumerations, by which values are shown widened."""
        signs = tuple(map(self.c_model.types.is_signed, enumerations(prototype(asked))))
        return digest((self.answer(asked), signs)) if signs else super().prediction(asked)

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        answer = self.answer(asked)
        if not isinstance(answer, Assignment):
            return frozenset()
        registers = self.key.target.registers
        return of_call(answer, len(prototype(asked).params), registers, kind)

    def decides(self, asked: Probe, part: str) -> str:
        answer, name = self.answer(asked), part.partition(" [")[0]
        if not isinstance(answer, Assignment):
            return ""
        passed = (
            answer.result
            if name == RESULT
            else next((one for one in answer.params if one.name == name), None)
        )
        if passed is None:
            return ""
        start = int(re.sub(r"\D.*", "", part.partition("[")[2]) or 0)
        pieces = (
            one.clause
            for one in passed.pieces
            if passed.passing is Passing.DIRECT and one.start <= start < one.end
        )
        return next(pieces, passed.clause)

    def cited(self, asked: Probe) -> frozenset[str]:
        answer = self.answer(asked)
        if not isinstance(answer, Assignment) or not self.prepare((asked,)).plans:
            return frozenset()
        return frozenset(of_assignment(answer)) - {""}


def prototype(asked: Probe) -> Prototype:
    """The question of a probe that is one about a call."""
    assert isinstance(asked.question, Prototype), "records are asked about otherwise"
    return asked.question


@lru_cache(maxsize=1 << 12)
def enumerations(asked: Prototype) -> tuple[Enum, ...]:
    """The enumerations in the types of a prototype."""
    return tuple(one for one in declared(asked.types) if isinstance(one, Enum))


def of_assignment(answer: Assignment) -> Iterator[str]:
    """The clauses behind the places of a call."""
    for passed in (*answer.params, *(() if answer.result is None else (answer.result,))):
        yield from of_value(passed)
    for hidden in answer.hidden:
        yield from (piece.clause for piece in hidden.pieces)


def of_value(passed: Passed) -> Iterator[str]:
    """The clauses behind the places of a parameter or result."""
    yield passed.clause
    for piece in passed.pieces:
        yield piece.clause
        yield piece.extension_clause

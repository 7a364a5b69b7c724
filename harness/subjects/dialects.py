"""The dialect of a compiler: the text, the reading of its family, and the quirks that it has."""

from __future__ import annotations

from collections.abc import Iterable

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.engine.cxx_call import CxxCall
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import dialect_of, in_force
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.registry import cxx_call_model, cxx_model


def answer(target: Target, question: Question) -> object:
    """The answer of a target's model to a question about a call, a record, a class, its tables or a name."""
    if isinstance(question, Prototype):
        return target.model().assign(question)
    if isinstance(question, Class):
        return cxx_model(target).layout(question)
    if isinstance(question, Tables):
        return cxx_model(target).tables(question.of)
    if isinstance(question, Entity):
        return cxx_model(target).name(question)
    if isinstance(question, CxxPrototype):
        found = cxx_call_model(target).call(question)
        return found.assignment if isinstance(found, CxxCall) else found
    return target.model().layout(question)


def quirks_of_subject(target: Target, name: str, level: str) -> dict[Side, tuple[Quirk, ...]]:
    """Return the quirks of an installed compiler at a level, for each side of a call; raises `Problem` where it is not installed."""
    subject = parse_subject(name)
    built = build(subject, target, level)
    if built is None:
        raise Problem(f"{name} is not installed for {target}", "see: abiprobe doctor")
    version = identity(built.command).version
    return {side: in_force(target, subject.spelling, version, level, side) for side in Side}


def deciding(target: Target, subject: str, quirks: Iterable[Quirk], question: Question) -> list[Quirk]:
    """Return the quirks of a subject's dialect without which the answer to a question is another one."""
    every = tuple(quirks)

    def by(some: tuple[Quirk, ...]) -> object:
        return answer(dialect_of(target, subject, some), question)

    full = by(every)
    return [one for one in every if by(tuple(other for other in every if other is not one)) != full]

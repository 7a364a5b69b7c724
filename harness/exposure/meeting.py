"""The known bugs that a declaration meets: the quirks without which a compiler's dialect would predict otherwise.

No compiler runs. What a tool dies of or refuses is predicted by no model, and is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from abiprobe.harness.observers.classes.plan import ClassPlan
from abiprobe.harness.observers.registry import AnyObserver, observer_of
from abiprobe.harness.observers.subject_dialects import SubjectDialects
from abiprobe.oracles.language.anonymous import FUNCTION, nameless
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import CXX_QUESTIONS, WITNESSES, Probe, Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import Choice, quirks_of
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.versions import family

Declaration: TypeAlias = Record | Prototype | Class | CxxPrototype


class Release(msgspec.Struct, frozen=True):
    """A release of a compiler, by the name that it has as a subject (`gcc-16`); it need not be installed."""

    subject: str

    @property
    def version(self) -> str:
        """The version in its name."""
        return self.subject.rpartition("-")[2]


class Meeting(msgspec.Struct, frozen=True):
    """A known bug of a compiler that a declaration meets on a target; `name` is the declaration's, `cause` the bug's."""

    target: str
    subject: str
    cause: str
    name: str
    probe: str


class Meetings:
    """The known bugs of releases on one target, asked for one declaration after the other."""

    def __init__(self, target: Target, releases: Iterable[Release], choice: Choice) -> None:
        self._target = target
        self._quirks = {one.subject: quirks_for(target, one, choice) for one in releases}
        self._dialects: dict[tuple[type[Question], str], SubjectDialects] = {}
        self._met: dict[Declaration, tuple[tuple[str, str], ...]] = {}

    def of(self, names: Mapping[Declaration, str]) -> Iterator[Meeting]:
        """Yield what declarations meet, which are given with their names; those that differ in names alone are asked once."""
        for question, name in names.items():
            alike = alike_in_names(question)
            if alike not in self._met:
                self._met[alike] = tuple(self._causes(probe(alike)))
            for subject, cause in self._met[alike]:
                yield Meeting(str(self._target), subject, cause, name, probe(question).id)

    def _causes(self, asked: Probe) -> Iterator[tuple[str, str]]:
        cxx = isinstance(asked.question, CXX_QUESTIONS)
        for subject, quirks in self._quirks.items():
            mine = quirks if cxx else tuple(one for one in quirks if not one.cxx)
            yield from ((subject, one.name) for one in self._needed(asked, subject, mine))

    def _needed(self, asked: Probe, subject: str, quirks: tuple[Quirk, ...]) -> list[Quirk]:
        key = type(asked.question), family(subject)
        if key not in self._dialects:
            observer = observer_of(self._target, asked.question, tuple(WITNESSES.values()))
            self._dialects[key] = SubjectDialects(observer, family(subject))
        dialects = self._dialects[key]
        return [
            one for one in dialects.needed.of(quirks, asked) if moves_anything(dialects, one, quirks, asked)
        ]


def moves_anything(dialects: SubjectDialects, one: Quirk, quirks: tuple[Quirk, ...], asked: Probe) -> bool:
    """Return whether a known bug that is needed changes more of a class than the clauses that decide it."""

    def numbers(observer: AnyObserver) -> object:
        plan = observer.answer(asked)
        return [(fact.what, fact.value) for fact in plan.facts] if isinstance(plan, ClassPlan) else plan

    if not isinstance(asked.question, Class):
        return True
    plain, full = numbers(dialects.by(())), numbers(dialects.by(quirks))
    return numbers(dialects.by((one,))) != plain or numbers(dialects.without(one, quirks)) != full


def alike_in_names(question: Declaration) -> Declaration:
    """Return a declaration with other names, none of which moves a byte; of C++ functions the classes keep theirs."""
    match question:
        case Class():
            return question
        case CxxPrototype(params=params):
            plain = tuple(replace(one, name=f"p{at}") for at, one in enumerate(params))
            return replace(question, name=FUNCTION, params=plain)
        case _:
            return nameless(question)


@cache
def meetings_of(target: Target, releases: tuple[Release, ...], choice: Choice) -> Meetings:
    """Return the known bugs of releases on a target, which remember what was asked before."""
    return Meetings(target, releases, choice)


def quirks_for(target: Target, release: Release, choice: Choice) -> tuple[Quirk, ...]:
    """Return the quirks that a release has on a target, on either side of a call and at any level."""
    return quirks_of(target.name, release.subject, release.version, choice)

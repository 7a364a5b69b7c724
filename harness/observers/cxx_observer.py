"""The base of the observers of C++: the Itanium C++ ABI, and compilers that are asked about nothing of C."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from abiprobe.harness.machines.render.cxx_languages import cxx_language
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.observer import Observer, Plan, Prepared, gathered
from abiprobe.harness.observers.recording import Plain
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.abis.itanium import CxxModel
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.question import Probe, Question
from abiprobe.oracles.registry import cxx_model

P = TypeVar("P", bound=Plan)
S = TypeVar("S")


class CxxObserver(Observer[P, S, Attempt]):
    """Observes something of C++; what it asks of a compiler, and how it judges, its subclasses say."""

    @cached_property
    def model(self) -> CxxModel:
        """The Itanium C++ ABI above the C ABI of the target."""
        return cxx_model(self.key.target, self.key.options)

    @cached_property
    def readings(self) -> Mapping[str, CxxModel]:
        """Map compiler families to their readings where the text is silent."""
        return {name: CxxModel(one.types) for name, one in self.key.readings.items()}

    def prepare(self, probes: Sequence[Probe]) -> Prepared[P]:
        return gathered(map(self.answer, probes), lambda _: frozenset())

    def adapted(self, subject: Subject, plan: P, needs: frozenset[str]) -> P | str:
        """The plan, or why a compiler of another language than C++ is not asked."""
        language = subject.family.language
        return (cxx_language(language).unsayable(self.question(plan)) if language else "") or plan

    def units(self, plans: Sequence[P], asked: Callable[[P], Class]) -> Iterator[list[P]]:
        """Yield the plans that are asked in one unit; a class that others of a unit may change is in one of its own."""
        alone = [self.model.depends_on_unit(asked(plan)) for plan in plans]
        if together := [plan for plan, apart in zip(plans, alone, strict=True) if not apart]:
            yield together
        yield from ([plan] for plan, apart in zip(plans, alone, strict=True) if apart)

    @abstractmethod
    def question(self, plan: P) -> Question:
        """The question of a plan."""

    def lacks(self, built: Built) -> frozenset[str]:
        """Return no features: those of C do not apply to C++."""
        return frozenset()

    def begin(self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = "") -> Attempt:
        return Attempt(None, self.built(subject, level), folder, limits)

    def fingerprint(self, plan: P) -> Plain:
        """Return an empty fingerprint: a compiler is asked for what is its own, which no model affects."""
        return None

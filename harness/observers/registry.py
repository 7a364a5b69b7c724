"""The registry of observers: a target names that of its calls, a family of subjects those that it can be asked by.

This is the one module that knows observers by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from abiprobe.harness.observers.assembly.observer import AssemblyObserver, StandInObserver
from abiprobe.harness.observers.capabilities import Capabilities
from abiprobe.harness.observers.classes.observer import ClassObserver
from abiprobe.harness.observers.cxx_calls.observer import CxxCallObserver
from abiprobe.harness.observers.device.observer import DeviceObserver
from abiprobe.harness.observers.foreign.observer import ForeignObserver, LibraryObserver
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.lanes.observer import VectorObserver
from abiprobe.harness.observers.names.observer import NameObserver
from abiprobe.harness.observers.objects.observer import LayoutObserver
from abiprobe.harness.observers.observer import Observer, PredictionKey
from abiprobe.harness.observers.tables.observer import TableObserver
from abiprobe.harness.subjects.options import with_isa
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, Question
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import CXX_CALLS, CXX_TARGETS
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.unmodelled.opened import OPEN
from abiprobe.results.journal.journal import Tool

AnyObserver: TypeAlias = Observer[Any, Any, Any]

OBSERVERS: Mapping[str, type[AnyObserver]] = MappingProxyType(
    {
        one.name: one
        for one in (
            ProgramObserver,
            ForeignObserver,
            VectorObserver,
            DeviceObserver,
            AssemblyObserver,
            LayoutObserver,
            LibraryObserver,
            ClassObserver,
            CxxCallObserver,
            NameObserver,
            TableObserver,
            StandInObserver,
        )
    }
)
"""Every observer by name."""
LAYOUTS = ("objects", "library", "stand-in")
"""The observers of layouts, which are those of every target."""
CLASSES = ("classes",)
"""The observers of C++ classes, which are those of every target that has them."""
CXX_PROGRAMS = ("cxx-calls",)
"""The observers of calls of C++, which are those of every target whose calls of C++ are modelled."""
NAMES = ("names",)
"""The observers of names of C++, which are those of every target that has classes."""
TABLES = ("tables",)
"""The observers of tables of C++ classes, which are those of the same targets."""
PROGRAMS = ("image", "foreign")
"""The observers of calls that are run, which are those of every target with a machine that names no others."""


def of_calls(target: Target) -> tuple[str, ...]:
    """The names of the observers of a target's calls; none where only layouts are observed."""
    return target.observers or (PROGRAMS if target.machine else ())


def has_calls(target: Target) -> bool:
    """Return whether calls of a target are observed, and not layouts only."""
    return bool(of_calls(target))


def has_classes(target: Target) -> bool:
    """Return whether questions about classes apply to a target."""
    return target.name in CXX_TARGETS


def has_cxx_calls(target: Target) -> bool:
    """Return whether questions about calls of C++ apply to a target; what two compilers promise each other has none."""
    return target.name in CXX_CALLS and target.dialect != OPEN


def has_names(target: Target) -> bool:
    """Return whether questions about names and tables of C++ apply to a target; what two compilers promise each other has none."""
    return has_classes(target) and target.dialect != OPEN


def names_of(target: Target, question: type[Question | Entity]) -> tuple[str, ...]:
    """The names of the observers that a target has for questions of a type."""
    if question is Prototype:
        return of_calls(target)
    if question is Class:
        return CLASSES if has_classes(target) else ()
    if question is CxxPrototype:
        return CXX_PROGRAMS if has_cxx_calls(target) else ()
    if question is Tables:
        return TABLES if has_names(target) else ()
    if issubclass(question, Entity):
        return NAMES if has_names(target) else ()
    return LAYOUTS


def serving(target: Target, subject: Subject, question: type[Question | Entity]) -> type[AnyObserver] | None:
    """The observer of a subject for a target and questions of a type; `None` where the subject is asked nothing."""
    for name in names_of(target, question):
        observer = OBSERVERS[name]
        if name in subject.family.observers:
            return observer if observer.serves(subject) else None
    return None


def observer_of(
    target: Target,
    question: Question,
    witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,),
    options: LayoutOptions = DEFAULT,
) -> AnyObserver:
    """The observer that asks most subjects of a target, under language options, about a question."""
    names = names_of(target, type(question)) or fallback(question)
    return OBSERVERS[names[0]](PredictionKey(target, with_isa(options, (question,)), witnesses))


def fallback(question: Question) -> tuple[str, ...]:
    """The observers that a question has where its target has none for it."""
    if isinstance(question, Prototype):
        return PROGRAMS
    if isinstance(question, CxxPrototype):
        return CXX_PROGRAMS
    if isinstance(question, Tables):
        return TABLES
    return NAMES if isinstance(question, Entity) else CLASSES


def capabilities(target: Target) -> Capabilities:
    """Return the capabilities of this machine for observing the calls of a target."""
    names = of_calls(target)
    return OBSERVERS[names[0]].capabilities(target) if names else Capabilities()


def executor(target: Target) -> Tool | None:
    """Return what an observer of a target's calls runs their code on, where that is no program of a machine's."""
    return next(filter(None, (OBSERVERS[name].executor(target) for name in of_calls(target))), None)


def shortages(targets: tuple[Target, ...]) -> tuple[str, ...]:
    """Return a sentence on each thing that is not installed here, so that less of some targets is observed."""
    names = dict.fromkeys(name for target in targets for name in of_calls(target))
    return tuple(dict.fromkeys(filter(None, (OBSERVERS[name].shortage() for name in names))))

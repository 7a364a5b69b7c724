"""`python -m laboratory.wrong_classes [ALTERNATE]`: how many wrong models of C++ classes are noticed, and by which clause.

A compiler is simulated by the right model: what it would tell of each drawn class is compared with the wrong model's facts. The
models are those of texts, and of compilers as their quirks have them. A wrong model of which none tells anything else is held
against the golden rows. Of many wrong models each `ALTERNATE`th is tried.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from itertools import islice
from types import ModuleType

import click
import msgspec

from abiprobe.generators.classes import stream
from abiprobe.harness.machines.render.class_units import AskedClass
from abiprobe.harness.machines.render.d.questions import unsayable
from abiprobe.harness.observers.classes.judging import differences
from abiprobe.harness.observers.classes.observing import ClassObservation
from abiprobe.harness.observers.classes.plan import Fact, predicted
from abiprobe.harness.observers.classes.questions import asked_of
from abiprobe.oracles.abis.itanium import CxxModel
from abiprobe.oracles.golden import class_rows
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.results.verdicts.values import BitRange
from laboratory.blaming import broken_by
from laboratory.cxx_trials import FAMILY, loaded, menu, of_d
from laboratory.forking import forked
from laboratory.menu import Mutant
from laboratory.reasons import is_proved
from tests import class_rows as class_rows_of
from tests.harness.observers.classes.test_judging import BLAMED, LEFT_OPEN
from tests.oracles.golden.test_measured_classes import (
    FAR,
    FAR_TO_CLANG,
    LIKE_INTEGERS,
    NEW,
    ROWS,
    derived,
    last,
    packed,
)
from tests.oracles.language.test_classes import KINDS, WHOLE

PACKAGE = "abiprobe.oracles.abis.itanium"
MODULES = ("construction", "definitions", "graph", "model", "packing", "primary", "table", "underlying")
TEXT = ("x86_64-sysv", "i386-sysv", "s390x")
"""Targets whose text is followed: their pointers, their alignments and their order of bits differ."""
D = "x86_64-sysv by D"
COMPILERS = (
    "x86_64-sysv@gcc-16",
    "x86_64-sysv@clang-24",
    "x86_64-sysv@gcc-12",
    "x86_64-sysv@clang-15",
    "s390x@clang-22",
    D,
)
"""Compilers as their quirks have them: what a wrong model says of these is new, and no known deviation."""
CASES = {name: 3000 if name in {TEXT[0], *COMPILERS[:2]} else 1000 for name in (*TEXT, *COMPILERS)}
"""So many classes each is asked about."""
MORE = 1000
"""So many more classes are looked at for a clause of the changed place that is blamed."""
DEFINING = frozenset(
    {
        *("dynamic", "empty", "empty-member", "overlapping", "morally-virtual", "graph-order", "order"),
        *("pod", "pod.defaulted", "pod.not-for-layout", "pod.empty", "bits.zero-width", "union", "packed"),
    }
)
"""Clauses that are never blamed: others ask what they define, and those are; or they are silent."""


class Told(Enum):
    """What a test tells of a class."""

    NUMBERS = "numbers"
    """its sizes, and the offsets of members and direct bases, or that no text decides"""
    CLAUSES = "clauses"
    """what compilers are asked, and the clauses that decide it"""
    WHOLE = "whole"
    """all its bases, the pointers to virtual tables, and what it is"""
    TABLES = "tables"
    """its virtual tables"""
    ON_UNIT = "on unit"
    """whether other classes of a unit change it"""


class Fate(msgspec.Struct, frozen=True):
    """What came of a wrong model: after how many classes it was noticed (0: never), and the clauses that were blamed."""

    after: int
    blamed: tuple[str, ...] = ()


class Golden(msgspec.Struct, frozen=True):
    """What a test holds the model against: the class, the model of its target, what is told of it, and what the right model says."""

    asked: Class
    target: str
    what: Told
    said: object


@cache
def golden() -> tuple[Golden, ...]:
    """The golden rows, what was measured with compilers, and who is blamed, all of which tests hold the model against."""
    rows = [(class_rows_of.asked(row), row.target, Told.NUMBERS) for row in class_rows()]
    rows += [(packed(source), name, Told.NUMBERS) for source, *_ in ROWS for name in (*COMPILERS[:2], NEW)]
    rows += [(last(source), TEXT[0], Told.CLAUSES) for source, *_ in BLAMED]
    rows += [(last(source), TEXT[0], Told.NUMBERS) for source, *_ in LEFT_OPEN]
    rows += [(last(source), TEXT[0], Told.WHOLE) for source, *_ in (*WHOLE, *KINDS)]
    rows += [(last(source), TEXT[0], Told.TABLES) for source, *_ in WHOLE]
    rows += [(last(source), COMPILERS[0], Told.NUMBERS) for source, *_ in FAR]
    rows += [(last(source), TEXT[0], Told.ON_UNIT) for source, *_ in FAR]
    rows += [(last(source), COMPILERS[1], Told.NUMBERS) for source, *_ in FAR_TO_CLANG]
    rows += [(derived(source), target, Told.NUMBERS) for target, source, _ in LIKE_INTEGERS]
    return tuple(Golden(one, target, what, said(PACKAGE, one, target, what)) for one, target, what in rows)


def said(package: str, one: Class, target: str, what: Told) -> object:
    """What a row tells of a class by the model of a package."""
    model = model_of(importlib.import_module(package), target)
    if what is Told.CLAUSES:
        return decided(asked_of(one), model)
    if what is Told.TABLES:
        return model.tables(one)
    if what is Told.ON_UNIT:
        return model.depends_on_unit(one)
    found = model.layout(one)
    if not isinstance(found, ClassLayout):
        return type(found)
    if what is Told.WHOLE:
        bases = [msgspec.structs.replace(base, clause="") for base in found.bases]
        return bases, found.pointers, found.virtual_pointer, found.pod, found.empty, found.nearly_empty
    return class_rows_of.facts(found)


@cache
def asked(target: str) -> tuple[tuple[AskedClass, tuple[Fact, ...] | None], ...]:
    """The classes that are put to the wrong models of a target, and what the simulated compiler tells of each."""
    model = model_of(importlib.import_module(PACKAGE), target)
    questions = drawn() if target != D else [one for one in drawn() if not unsayable(one.asked)]
    return tuple((question, decided(question, model)) for question in questions[: CASES[target]])


@cache
def drawn() -> tuple[AskedClass, ...]:
    """The classes of which each target has the first ones."""
    return tuple(asked_of(one) for one in islice(stream(seed=1), max(CASES.values())))


def model_of(package: ModuleType, target: str) -> CxxModel:
    """The model of a target, or of a compiler for it, by a package."""
    asked_for = of_d()[0] if target == D else find_target(target)
    found: CxxModel = package.CxxModel(asked_for.model().types)
    return found


def decided(question: AskedClass, model: CxxModel) -> tuple[Fact, ...] | None:
    """The facts about a class, if they are decided."""
    found = predicted(question, model)
    return found if isinstance(found, tuple) else None


def trial(mutant: Mutant) -> Fate:
    """Put the classes to a wrong model until one shows it, and of a text some more, until a clause of the changed place is blamed."""
    number = first = 0
    blamed, clauses = dict[str, None](), blamable(mutant)
    try:
        package = loaded(PACKAGE, mutant)
    except Exception:  # noqa: BLE001 - a model that cannot be loaded is noticed
        return Fate(1)
    for target in CASES:
        try:
            wrong = model_of(package, target)
        except Exception:  # noqa: BLE001 - a model that cannot be loaded is noticed
            return Fate(number + 1)
        for question, facts in asked(target):
            number += 1
            found = contradicted(question, facts, wrong)
            first = first or (number if found else 0)
            if target == TEXT[0]:
                blamed |= dict.fromkeys(found)
            wanted = target == TEXT[0] and clauses and clauses.isdisjoint(blamed)
            if first and (not wanted or number > first + MORE):
                return Fate(first, tuple(blamed))
        if first:
            return Fate(first, tuple(blamed))
    return Fate(next((number + at for at, row in enumerate(golden(), 1) if not as_said(row)), 0))


def blamable(mutant: Mutant) -> frozenset[str]:
    """The clauses of the changed place that can be blamed, with their sheet."""
    cited = {one.rpartition(":")[2] for one in broken_by(mutant)} - DEFINING
    return frozenset(f"{FAMILY}:{one}" for one in cited)


def contradicted(question: AskedClass, facts: tuple[Fact, ...] | None, wrong: CxxModel) -> tuple[str, ...]:
    """The clause that is blamed where what a simulated compiler tells is not as a wrong model says; none where it is.

    Where of both models one decides and the other does not, or the wrong one fails, it is an empty one.
    """
    try:
        answer = decided(question, wrong)
    except Exception:  # noqa: BLE001 - a wrong model may raise anything
        return ("",)
    if answer is None or facts is None:
        return () if answer is facts else ("",)
    return tuple(one.clause for one in differences(facts, shown(answer))[:1])


def as_said(row: Golden) -> bool:
    """Return whether the model that is loaded says what a golden row tells."""
    try:
        return said(PACKAGE, row.asked, row.target, row.what) == row.said
    except Exception:  # noqa: BLE001 - a model that fails is noticed
        return False


def shown(facts: Sequence[Fact]) -> ClassObservation:
    """What a compiler shows that follows these facts."""
    return {
        one.what: (one.value.offset, one.value.width) if isinstance(one.value, BitRange) else one.value.bytes
        for one in facts
    }


def rows(chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, Fate, bool | None]]:
    """Each wrong model with its fate, and whether a clause of the changed place was blamed; `None` where no number is its own."""
    for target in CASES:
        asked(target)
    golden()
    for mutant, fate in forked(trial, chosen, jobs):
        told = Fate(1) if isinstance(fate, str) else fate
        clauses, blamed = blamable(mutant), set(told.blamed) - {""}
        yield mutant, told, not clauses.isdisjoint(blamed) if clauses and blamed else None


def main() -> None:
    """Print a line for each wrong model that is not noticed or blamed elsewhere, and the counts."""
    noticed = placed = asked_for = proved = 0
    chosen = menu(PACKAGE, MODULES, "ClassHabit")[:: int(sys.argv[1]) if sys.argv[1:] else 1]
    for mutant, fate, right in rows(chosen, 2):
        noticed += bool(fate.after)
        asked_for += right is not None
        placed += bool(right)
        proved += not fate.after and is_proved(FAMILY, mutant.name)
        if fate.after and is_proved(FAMILY, mutant.name):
            click.echo(f"refuted after {fate.after}\t{mutant.name}")
        elif not fate.after and not is_proved(FAMILY, mutant.name):
            click.echo(f"unnoticed\t{mutant.name}")
        elif right is False:
            click.echo(f"blamed {fate.blamed}, not {sorted(broken_by(mutant))}\t{mutant.name}")
    click.echo(
        f"{noticed} of {len(chosen) - proved} noticed, {proved} more are proved to be no other model;"
        f" {placed} of {asked_for} blamed by a clause of the changed place"
    )


if __name__ == "__main__":
    main()

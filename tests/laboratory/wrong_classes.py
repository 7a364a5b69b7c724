"""`python -m laboratory.wrong_classes [ALTERNATE]`: how many wrong models of C++ classes are noticed, and by which clause.

A compiler is simulated by the right model: what it would tell of each drawn class is compared with the wrong model's facts. A
wrong model of which none tells anything else is held against the golden rows. Of many wrong models each `ALTERNATE`th is tried.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import click
import msgspec

from abiprobe.generators.classes import stream
from abiprobe.harness.machines.render.class_units import AskedClass
from abiprobe.harness.observers.classes.judging import differences
from abiprobe.harness.observers.classes.observing import ClassObservation
from abiprobe.harness.observers.classes.plan import Fact, predicted
from abiprobe.harness.observers.classes.questions import asked_of
from abiprobe.oracles.golden import class_rows
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.results.verdicts.values import BitRange
from laboratory.blaming import broken_by
from laboratory.forking import forked
from laboratory.loading import Finder
from laboratory.menu import Mutant, mutants
from tests import class_rows as class_rows_of

PACKAGE = "abiprobe.oracles.abis.itanium"
MODULES = ("construction", "definitions", "graph", "primary", "table", "underlying")
TARGET = "x86_64-sysv"
CASES = 3000


class Fate(msgspec.Struct, frozen=True):
    """What came of a wrong model: after how many classes it was noticed (0: never), and the clauses that were blamed."""

    after: int
    blamed: tuple[str, ...] = ()


class Golden(msgspec.Struct, frozen=True):
    """A golden row: the class, the model of its target, and what the right model says."""

    asked: Class
    target: str
    said: object


@cache
def golden() -> tuple[Golden, ...]:
    """The golden rows, which are right: a test holds the model against them."""
    rows = ((class_rows_of.asked(row), row.target) for row in class_rows())
    return tuple(Golden(one, target, said(PACKAGE, one, target)) for one, target in rows)


def said(package: str, asked: Class, target: str) -> object:
    """What a row of the table tells of a class by the model of a package: its facts, or that no text decides."""
    model = importlib.import_module(package).CxxModel(find_target(target).model().types)
    found = model.layout(asked)
    return class_rows_of.facts(found) if isinstance(found, ClassLayout) else type(found)


@cache
def asked(cases: int) -> tuple[tuple[AskedClass, tuple[Fact, ...] | None], ...]:
    """The classes that are put to the wrong models, and what the simulated compiler tells of each."""
    module = importlib.import_module(PACKAGE)
    model = module.CxxModel(find_target(TARGET).model().types)
    questions = [asked_of(one) for one in islice(stream(seed=1), cases)]
    answers = [predicted(one, model) for one in questions]
    return tuple(
        (question, answer if isinstance(answer, tuple) else None)
        for question, answer in zip(questions, answers, strict=True)
    )


def menu() -> list[Mutant]:
    """Every wrong model that a change of one place makes; those of a compiler's habits are none of the text's."""
    return [
        made
        for name in MODULES
        for made in mutants(f"{PACKAGE}.{name}", source(f"{PACKAGE}.{name}"))
        if "ClassHabit" not in made.was
    ]


def source(module: str) -> str:
    """The source of a module."""
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).read_text("utf-8")


def trial(mutant: Mutant, cases: int = CASES) -> Fate:
    """Put the classes to a wrong model until one shows it; more of the same clause would tell nothing."""
    questions = asked(cases)
    for name in [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(mutant))
    try:
        wrong = importlib.import_module(PACKAGE).CxxModel(find_target(TARGET).model().types)
    except Exception:  # noqa: BLE001 - a model that cannot be loaded is noticed
        return Fate(1)
    first, blamed = 0, dict[str, None]()
    for number, (question, told) in enumerate(questions, 1):
        try:
            answer = predicted(question, wrong)
        except Exception:  # noqa: BLE001 - so is one that fails
            return Fate(first or number, tuple(blamed))
        if isinstance(answer, tuple) and told is not None:
            found = [one.clause for one in differences(answer, shown(told))]
            blamed |= dict.fromkeys(found[:1])
            first = first or (number if found else 0)
        elif isinstance(answer, tuple) != (told is not None):
            first = first or number
        if first and number >= first + 200:
            break
    if not first:
        first = next((len(questions) + at for at, row in enumerate(golden(), 1) if not as_said(row)), 0)
    return Fate(first, tuple(blamed))


def as_said(row: Golden) -> bool:
    """Return whether the model that is loaded says what a golden row tells."""
    try:
        return said(PACKAGE, row.asked, row.target) == row.said
    except Exception:  # noqa: BLE001 - a model that fails is noticed
        return False


def shown(facts: Sequence[Fact]) -> ClassObservation:
    """What a compiler shows that follows these facts."""
    return {
        one.what: (one.value.offset, one.value.width) if isinstance(one.value, BitRange) else one.value.bytes
        for one in facts
    }


def rows(chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, Fate, bool | None]]:
    """Each wrong model with its fate, and whether a clause of the changed place was blamed; `None` where that names none."""
    asked(CASES)
    golden()
    for mutant, fate in forked(trial, chosen, jobs):
        told = Fate(1) if isinstance(fate, str) else fate
        clauses = broken_by(mutant)
        names = {one.partition(":")[2] or one for one in clauses}
        right = (
            bool({one.partition(":")[2] for one in told.blamed} & names) if names and told.blamed else None
        )
        yield mutant, told, right


def main() -> None:
    """Print a line for each wrong model that is not noticed or blamed elsewhere, and the counts."""
    noticed = placed = asked_for = 0
    chosen = menu()[:: int(sys.argv[1]) if sys.argv[1:] else 1]
    for mutant, fate, right in rows(chosen, 1):
        noticed += bool(fate.after)
        asked_for += right is not None
        placed += bool(right)
        if not fate.after or right is False:
            found = f"blamed {fate.blamed}" if fate.after else "unnoticed"
            click.echo(f"{found}\t{mutant.name}")
    click.echo(
        f"{noticed} of {len(chosen)} noticed; {placed} of {asked_for} blamed by a clause of the changed place"
    )


if __name__ == "__main__":
    main()

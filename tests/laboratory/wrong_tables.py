"""`python -m laboratory.wrong_tables [ALTERNATE]`: how many wrong models of the tables of classes are noticed.

A compiler is simulated by the right model, as in `wrong_cxx_calls`: the words of each drawn class, of the text and of compilers
as their quirks have them; then, clauses included, those of classes of the golden rows. Of many wrong models each `ALTERNATE`th is tried.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any

from abiprobe.generators.tables import stream
from abiprobe.oracles.abis.itanium.policy import policy_of
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.tables import ClassTables, spelled
from laboratory.cxx_trials import count, menu, noticed_after
from laboratory.menu import Mutant
from tests.oracles.golden.tables import CLASSES

PACKAGE = "abiprobe.oracles.abis.itanium.tables"
MODULES = ("functions", "information", "offsets", "pointers", "symbols", "view", "virtual_tables")
TARGETS = ("x86_64-sysv", "i386-sysv", "x86_64-sysv@gcc-16", "x86_64-sysv@clang-24")
CASES = 400
"""So many classes each is asked about."""


def laid(target: str) -> Any:
    """Layouts of classes for a target, or by a compiler for it."""
    model = cxx_model(find_target(target))
    return model.by(policy_of(model.types.reading, model.types.policies))


def shown(found: ClassTables) -> object:
    """The words that a compiler shows which follows a model; those of which nothing is required are not compared."""
    group = [[spelled(word) for word in one.entries] for one in found.group]
    pointers = [
        (one.at, one.table.address_point, [spelled(word) for word in one.table.entries])
        for one in found.pointers
    ]
    return group, pointers, [(spelled(word), size) for word, size in found.information]


def tables(package: ModuleType, one: Class, target: str) -> ClassTables:
    """The tables of a class in a namespace by a package."""
    found: ClassTables = package.tables_of(one, laid(target), "t_0")
    return found


@cache
def asked(target: str) -> tuple[tuple[Class, object], ...]:
    """The classes that are put to the wrong models of a target, and what the simulated compiler shows of each."""
    package, model = importlib.import_module(PACKAGE), cxx_model(find_target(target))
    drawn = (one.of for one in islice(stream(seed=1), CASES))
    decided = [one for one in drawn if isinstance(model.layout(one), ClassLayout)]
    return tuple((one, shown(tables(package, one, target))) for one in decided)


@cache
def golden(target: str) -> tuple[tuple[Class, object], ...]:
    """The classes of golden rows, with everything that a model says of them."""
    package = importlib.import_module(PACKAGE)
    return tuple((one, package.tables_of(one, laid(target))) for one in CLASSES.values())


def differing(package: ModuleType) -> Iterator[bool]:
    """Put classes to a package: whether it shows other words of each than it should, or says anything else of a golden one."""
    for target in TARGETS:
        for one, right in asked(target):
            yield shown(tables(package, one, target)) != right
        for one, right in golden(target):
            yield package.tables_of(one, laid(target)) != right


def trial(mutant: Mutant) -> int:
    """Put classes to a wrong model until one shows it: after how many it was noticed, 0 for never."""
    return noticed_after(PACKAGE, mutant, differing)


def main() -> None:
    """Print a line for each wrong model that is not noticed, and the counts."""
    for target in TARGETS:
        asked(target)
        golden(target)
    count(menu(PACKAGE, MODULES, "TableHabit")[:: int(sys.argv[1]) if sys.argv[1:] else 1], trial)


if __name__ == "__main__":
    main()

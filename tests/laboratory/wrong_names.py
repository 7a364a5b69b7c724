"""`python -m laboratory.wrong_names [ALTERNATE]`: how many wrong models of mangled names are noticed.

A compiler is simulated by the right model, as in `wrong_cxx_calls`: the name of each drawn entity, by the text and by compilers as
their quirks have it; then those of the golden rows. Of many wrong models each `ALTERNATE`th is tried.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain, filterfalse, islice
from types import ModuleType

from abiprobe.generators.entities import stream
from abiprobe.harness.machines.render.d.questions import unsayable
from abiprobe.oracles.abis.itanium.names.writing import NamePolicy
from abiprobe.oracles.engine.policies import NameHabit
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.language.entities import AnyEntity
from laboratory.cxx_trials import FAMILY, count, menu, noticed_after
from laboratory.menu import Mutant
from tests.oracles.golden.names import BLAMED, BY_FAMILIES, ROWS, SILENT

PACKAGE = "abiprobe.oracles.abis.itanium.names"
MODULES = ("codes", "expressions", "mangler", "model", "scopes", "types", "writing", "written_out")
OF_D = frozenset(
    {
        *(NameHabit.WRITTEN_OUT, NameHabit.NO_EMPTY_PACKS, NameHabit.NUMBERED_ABBREVIATIONS),
        *(NameHabit.ARRAYS_FIRST, NameHabit.CONST_POINTERS, NameHabit.AS_DECLARED),
    }
)
POLICIES = (
    NamePolicy(),
    NamePolicy(Reading.GCC, frozenset({NameHabit.NULLPTR, NameHabit.DECLARED_UNSCOPED})),
    NamePolicy(Reading.CLANG, frozenset({NameHabit.DECLARED})),
    NamePolicy(habits=OF_D),
)
"""The text, gcc, clang, and compilers of D."""
CASES = 1000
"""So many entities each is asked about."""


def named(package: ModuleType, one: AnyEntity, policy: NamePolicy) -> object:
    """The name of an entity by a package, or that the text decides none."""
    found = package.mangle(one, policy)
    return getattr(found, "text", type(found).__name__)


def blamed(package: ModuleType) -> list[str]:
    """The clauses that a package blames of the golden rows."""
    names = dict(ROWS)
    return [package.mangle(names[name]).clause_of(other) for name, other, _ in BLAMED]


@cache
def asked(policy: NamePolicy) -> tuple[tuple[AnyEntity, object], ...]:
    """The entities that are put to the wrong models of a compiler, and the name that the simulated one gives each."""
    package, drawn = importlib.import_module(PACKAGE), stream(seed=1)
    questions = islice(filterfalse(unsayable, drawn) if policy.habits == OF_D else drawn, CASES)
    golden = () if policy.habits == OF_D else (*ROWS, *SILENT, *BY_FAMILIES)
    entities = chain(questions, (entity for _, entity in golden))
    return tuple((one, named(package, one, policy)) for one in entities)


def differing(package: ModuleType) -> Iterator[bool]:
    """Put entities to a package: whether it calls each otherwise than it should, and then whether it blames other clauses."""
    for policy in POLICIES:
        for one, right in asked(policy):
            yield named(package, one, policy) != right
    yield blamed(package) != [f"{FAMILY}:{clause}" for *_, clause in BLAMED]


def trial(mutant: Mutant) -> int:
    """Put entities to a wrong model until one shows it: after how many it was noticed, 0 for never."""
    return noticed_after(PACKAGE, mutant, differing)


def main() -> None:
    """Print a line for each wrong model that is not noticed, and the counts."""
    for policy in POLICIES:
        asked(policy)
    count(menu(PACKAGE, MODULES, "NameHabit")[:: int(sys.argv[1]) if sys.argv[1:] else 1], trial)


if __name__ == "__main__":
    main()

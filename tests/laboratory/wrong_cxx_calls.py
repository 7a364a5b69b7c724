"""`python -m laboratory.wrong_cxx_calls [ALTERNATE]`: how many wrong models of calls of C++ are noticed.

A compiler is simulated by the right model: where it would have the values of each drawn call is compared with what the wrong
model says. The models are those of texts, and of compilers as their quirks have them. A wrong model of which none tells
anything else is held against the golden rows, clauses included. Of many wrong models each `ALTERNATE`th is tried.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain, filterfalse, islice
from types import ModuleType
from typing import Any

from abiprobe.generators.cxx_calls import stream
from abiprobe.harness.machines.render.d.questions import unsayable
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.registry import dialects_of_sides, find_target
from abiprobe.oracles.text.place import Assignment, Passed
from laboratory.cxx_trials import count, menu, noticed_after, of_d
from laboratory.menu import Mutant
from tests.oracles.golden.cxx_calls import FUNCTIONS, NO_CALLS, function
from tests.oracles.test_triviality import NON_TRIVIAL, PASSED, REFUSED, TRIVIAL

PACKAGE = "abiprobe.oracles.abis.itanium"
MODULES = ("calls", "call_model", "stand_ins", "triviality")
TARGETS = (
    *("x86_64-sysv", "aarch64-aapcs64", "riscv64-lp64d", "i386-sysv", "arm-aapcs-vfp", "s390x"),
    *("powerpc64le-elfv2", "x86_64-sysv@gcc-16", "aarch64-aapcs64@clang-24", "arm-aapcs-vfp@clang-19"),
    *(
        "powerpc64le-elfv2@clang-24",
        "riscv64-lp64d@gcc-16",
        "arm-aapcs-vfp@gcc-16",
        "riscv32-ilp32d@gcc-16",
        "aarch64-aapcs64@gcc-16",
        "arm-aapcs-vfp@clang-24",
        "i386-sysv@gcc-16",
        "i386-sysv@clang-24",
    ),
)
"""Targets whose text is followed, and compilers as their quirks have them."""
ONE_SIDED = ("arm-aapcs-vfp@clang-24", "riscv64-lp64d@clang-24")
"""Compilers whose callers have other quirks than what they call."""
CASES = 150
"""So many calls each is asked about."""


@cache
def targets() -> tuple[Target, ...]:
    """Every target and compiler, the sides of a call among them."""
    sides = (dialects_of_sides(find_target(name)).values() for name in ONE_SIDED)
    return (*map(find_target, TARGETS), *chain.from_iterable(sides), *of_d())


def model_of(package: ModuleType, target: Target) -> Any:
    """The model of calls of a target, or of a compiler for it, by a package."""
    base = target.model()
    return package.CxxCallModel(base, package.CxxModel(base.types))


def shown(model: Any, asked: CxxPrototype) -> object:
    """What a compiler shows that follows a model: the places of values, and how many objects it destroys."""
    found = model.call(asked)
    call = getattr(found, "assignment", None)
    if not isinstance(call, Assignment):
        return type(found).__name__
    hidden = tuple((one.role, tuple(piece.place for piece in one.pieces)) for one in call.hidden)
    values = tuple(map(told, (*call.params, *(() if call.result is None else (call.result,)))))
    gone = found.destroyed, found.destroyed_in_callee, found.destroyed_by
    return values, hidden, call.stack_bytes, call.pops, gone


def told(one: Passed) -> object:
    """What is seen of a value."""
    pieces = tuple((piece.start, piece.end, piece.place, piece.extension, piece.at) for piece in one.pieces)
    return one.name, one.passing, pieces, one.size, one.mask, one.memory_align


@cache
def asked(target: Target) -> tuple[tuple[CxxPrototype, object], ...]:
    """The calls that are put to the wrong models of a target, and what the simulated compiler shows of each."""
    model, drawn = model_of(importlib.import_module(PACKAGE), target), stream(seed=1)
    questions = filterfalse(unsayable, drawn) if target in of_d() else drawn
    return tuple((one, shown(model, one)) for one in islice(questions, CASES))


@cache
def golden(target: Target) -> tuple[tuple[CxxPrototype, object], ...]:
    """The functions of golden rows and of quirks, and what tests hold the model against: clauses count."""
    model = model_of(importlib.import_module(PACKAGE), target)
    classes = (*TRIVIAL.values(), *NON_TRIVIAL.values())
    examples = (quirk.entity for quirk in QUIRKS.values() if isinstance(quirk.entity, CxxPrototype))
    held = (*FUNCTIONS.values(), *NO_CALLS.values(), *(function(None, one) for one in classes), *examples)
    asked_here = filterfalse(unsayable, held) if target in of_d() else held
    return tuple((one, written(model, one)) for one in asked_here)


def written(model: Any, one: CxxPrototype) -> object:
    """The answer of a model with the clauses of the C++ ABI."""
    found = model.call(one)
    call = getattr(found, "assignment", None)
    if not isinstance(call, Assignment):
        return type(found).__name__, getattr(found, "clause", "")
    values = (*call.params, *(() if call.result is None else (call.result,)))
    clauses = {value.clause for value in values} | {
        piece.clause for value in values for piece in value.pieces
    }
    return shown(model, one), tuple(sorted(one for one in clauses if one.startswith("cxxabi:")))


def differing(package: ModuleType) -> Iterator[bool]:
    """Put calls to a package: whether it says otherwise of each than it should, and then whether clang refuses other classes."""
    for say, rows in ((shown, asked), (written, golden)):
        for target in targets():
            wrong = model_of(package, target)
            for one, right in rows(target):
                yield say(wrong, one) != right
    yield refused() != list(REFUSED.values())


def trial(mutant: Mutant) -> int:
    """Put calls to a wrong model until one shows it: after how many it was noticed, 0 for never."""
    return noticed_after(PACKAGE, mutant, differing)


def refused() -> list[object]:
    """The classes of a test that clang refuses as unnamed arguments, by the model that is loaded."""
    asks = importlib.import_module(f"{PACKAGE}.triviality").is_refused_unnamed
    return [one for one in (*REFUSED.values(), *PASSED.values()) if asks(one)]


def main() -> None:
    """Print a line for each wrong model that is not noticed, and the counts."""
    for target in targets():
        asked(target)
        golden(target)
    count(menu(PACKAGE, MODULES, "CallHabit")[:: int(sys.argv[1]) if sys.argv[1:] else 1], trial)


if __name__ == "__main__":
    main()

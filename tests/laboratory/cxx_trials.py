"""Wrong models of a part of the Itanium C++ ABI: where they come from, how one is loaded, and how many are noticed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import click

from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import dialect_of, quirks_of
from abiprobe.oracles.registry import find_target
from laboratory.forking import forked
from laboratory.loading import Finder
from laboratory.menu import Mutant, mutants
from laboratory.reasons import is_proved

FAMILY = "cxxabi"
"""How reasons for survivors call the package."""


OF_D = (("ldc2", "1.30"), ("gdc", "12"))
"""Compilers of D, which are asked on x86-64 about what D can say."""


@cache
def of_d() -> tuple[Target, ...]:
    """x86-64 as compilers of D have it."""
    base = find_target("x86_64-sysv")
    return tuple(dialect_of(base, name, quirks_of(base.name, name, version)) for name, version in OF_D)


def source(module: str) -> str:
    """The source of a module."""
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).read_text("utf-8")


def menu(package: str, modules: Sequence[str], habits: str) -> list[Mutant]:
    """Every wrong model that a change of one place makes; those of a compiler's `habits` are none of the text's."""
    return [
        made
        for name in modules
        for made in mutants(f"{package}.{name}", source(f"{package}.{name}"))
        if habits not in made.was
    ]


def loaded(package: str, mutant: Mutant) -> ModuleType:
    """The package with a wrong model in it, which takes the place of the right one in this process."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(mutant))
    return importlib.import_module(package)


def noticed_after(package: str, mutant: Mutant, differing: Callable[[ModuleType], Iterable[bool]]) -> int:
    """Return after how many questions the package with a wrong model in it is `differing`, or fails; 0 for never."""
    number = 0
    try:
        for number, differs in enumerate(differing(loaded(package, mutant)), 1):
            if differs:
                return number
    except Exception:  # noqa: BLE001 - a wrong model may raise anything, and is noticed by it
        return number + 1
    return 0


def count(chosen: Sequence[Mutant], trial: Callable[[Mutant], int]) -> None:
    """Print a line for each wrong model that is not noticed, and the counts; a trial tells after how many questions one is, or 0."""
    noticed = proved = 0
    for mutant, fate in forked(trial, chosen, 2):
        after = 1 if isinstance(fate, str) else fate
        noticed += bool(after)
        proved += not after and is_proved(FAMILY, mutant.name)
        if not after and not is_proved(FAMILY, mutant.name):
            click.echo(f"unnoticed\t{mutant.name}")
        elif after and is_proved(FAMILY, mutant.name):
            click.echo(f"refuted after {after}\t{mutant.name}")
    click.echo(f"{noticed} of {len(chosen) - proved} noticed, {proved} more are proved to be no other model")

"""The targets of a model of which one module has another source; only in a process that ends with the trial.

Nothing is patched: the package is imported anew, with the mutant's source where the module's own would be read.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from abiprobe.oracles.abis.x86 import X86_64
from abiprobe.oracles.model import Target
from laboratory.menu import Mutant

ENGINE = "abiprobe.oracles.engine"
DIALECTS = "abiprobe.oracles.dialects"
"""Makes models with the machinery, and so is as new as that."""
VECTORS = "abiprobe.oracles.abis.vfabi"
SHARED = frozenset(
    {
        *(f"{ENGINE}.{name}" for name in ("silence", "reading", "data_model")),
        *(f"{VECTORS}.{name}" for name in ("variant", "name")),
    }
)
"""Modules of which everybody must have the same: what a model raises and answers, and values that it is asked with."""


class Source(Loader):
    """Runs a mutant's source as its module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def create_module(self, _spec: ModuleSpec) -> None:
        """The usual module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the source of the mutant."""
        exec(compile(self._mutant.source, self._mutant.name, "exec"), module.__dict__)


class Finder(MetaPathFinder):
    """Finds the mutant's module, and no other."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The mutant, if it is asked for."""
        if fullname != self._mutant.module:
            return None
        return spec_from_loader(fullname, Source(self._mutant))


def targets(packages: Sequence[str], mutant: Mutant) -> dict[str, Target]:
    """The targets of ABI packages with the mutant in it, by name; raises whatever the wrong source raises."""
    folders = {*packages, ENGINE, DIALECTS} if mutant.module.startswith(f"{ENGINE}.") else {*packages}
    stale = [
        name
        for name in sys.modules
        if any(name == folder or name.startswith(f"{folder}.") for folder in folders)
        and (name == mutant.module or name not in {ENGINE, *SHARED})
    ]
    for name in stale:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(mutant))
    return {target.name: target for package in packages for target in made(importlib.import_module(package))}


def made(package: ModuleType) -> Sequence[Target]:
    """The targets of an ABI package; the vector function ABI is a target over another."""
    return package.TARGETS if hasattr(package, "TARGETS") else (package.target(X86_64),)

"""Skips of tests that need what this machine lacks: a skip has the reason that a user would read."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.runtime.build import Trusted, find_trusted
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.workbench import bench
from abiprobe.oracles.registry import find_target


def needs_executor(target: str) -> None:
    """Skip where no program of the target can be built and run."""
    try:
        bench(find_target(target))
    except Problem as problem:
        pytest.skip(str(problem))


def trusted_or_skip(machine: Machine) -> Trusted:
    """The compiler and linker of the runtime for a machine; skips where there are none."""
    try:
        return find_trusted(machine)
    except Problem as problem:
        pytest.skip(str(problem))

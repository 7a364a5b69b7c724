"""A workbench for calls on one target: runtime image parts and executor, found once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.caching import cache_dir
from abiprobe.harness.executors import find as executors
from abiprobe.harness.executors.executor import Executor
from abiprobe.harness.problem import Problem
from abiprobe.harness.runtime.build import Trusted, find_trusted, runtime_objects
from abiprobe.harness.runtime.machine import Machine, machine
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.registry import find_target


class Bench(msgspec.Struct, frozen=True):
    """What a batch of calls needs besides the compiler under test."""

    target: str
    machine: Machine
    executor: Executor
    trusted: Trusted
    runtime: tuple[Path, ...]
    registers: RegisterConvention


@cache
def bench(target: str) -> Bench:
    """The bench of a target; raises `Problem` when nothing here can run its images."""
    about = find_target(target)[0]
    assert about.registers is not None, "calls of the target are modelled"
    here = machine(about.machine)
    found = executors.find(here.name)
    if not found:
        reasons = "; ".join(f"{absent.name}: {absent.reason}" for absent in executors.absent(here.name))
        raise Problem(
            f"nothing here runs {here.name} programs ({reasons})", "pip install unicorn, or install qemu-user"
        )
    trusted = find_trusted(here)
    runtime = runtime_objects(here, trusted, cache_dir())
    return Bench(target, here, found[0], trusted, runtime, about.registers)

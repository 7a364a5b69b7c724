"""A workbench for calls on one target: runtime image parts and executor, found once per process."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.scratch import cached_with_home
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.machines.executors.executor import Executor
from abiprobe.harness.machines.runtime.build import Trusted, find_trusted, runtime_objects
from abiprobe.harness.machines.runtime.machine import Machine, machine
from abiprobe.harness.machines.runtime.x86 import WIDER
from abiprobe.oracles.model import RegisterConvention, Target

XMM_BYTES = 16
"""The vector registers that every x86 processor in use has."""


class Bench(msgspec.Struct, frozen=True):
    """The programs that a batch of calls needs in addition to the compiler under test."""

    target: Target
    machine: Machine
    executor: Executor
    trusted: Trusted
    runtime: tuple[Path, ...]
    registers: RegisterConvention


def runs_programs(target: Target) -> bool:
    """Return whether there is a machine for the programs of a target."""
    return bool(target.machine)


def described(target: Target, vectors: int = 0) -> tuple[Machine, RegisterConvention]:
    """The machine and the registers of a target, on x86 with vector registers of `vectors` bytes where that is more than 16."""
    assert target.registers is not None, "calls of the target are modelled"
    here = machine(target.machine)
    if vectors > XMM_BYTES:
        here = next(wider for wider in WIDER[here.full_name] if wider.vectors == vectors)
    return here, target.registers


@cached_with_home
def bench(target: Target, vectors: int = 0) -> Bench:
    """The bench of a target, on x86 with vector registers of `vectors` bytes where that is more than 16.

    Raises `Problem` when nothing here can run its images.
    """
    here, registers = described(target, vectors)
    found = executors.find(here.name, here.vectors)
    if not found:
        reasons = "; ".join(
            f"{absent.name}: {absent.reason}" for absent in executors.absent(here.name, here.vectors)
        )
        raise Problem(
            f"nothing here runs {here.name} programs ({reasons})",
            "pip install wasmtime" if here.signatures else "pip install unicorn, or install qemu-user",
        )
    return Bench(target, here, found[0], *trusted_runtime(here), registers)


@cached_with_home
def trusted_runtime(machine: Machine) -> tuple[Trusted, tuple[Path, ...]]:
    """The compiler and linker of a machine's images, and the runtime's objects, whatever the dialect of its target."""
    trusted = find_trusted(machine)
    return trusted, runtime_objects(machine, trusted)


def no_such_vectors(target: Target, vectors: int) -> str:
    """Return the reason why a target's programs with vector registers of `vectors` bytes cannot run here; empty if they can.

    It is the same on every machine; `executors.absent` has the reasons.
    """
    name = target.machine
    if vectors <= XMM_BYTES or executors.find(name, vectors):
        return ""
    return f"nothing here runs {name} programs with vector registers of {vectors} bytes"

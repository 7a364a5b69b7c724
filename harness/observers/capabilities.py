"""Programs on this machine for observing the calls of a target, and those to install for the rest."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.machines.executors.unicorn import LACKING
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.oracles.model import Target

QEMU = "apt-get install qemu-user"
UNICORN = "pip install unicorn"
WASMTIME = "pip install wasmtime"


class Advice(msgspec.Struct, frozen=True):
    """Something that is missing, what that costs, and how to get it; `what` has a `{}` for the targets concerned."""

    what: str
    costs: str
    install: str


class Capabilities(msgspec.Struct, frozen=True):
    """The capabilities of this machine for observing the calls of a target.

    `calls` says whether they are observed, and is `None` where compilers alone suffice; `runs` whether anything of the target
    can be asked. `executors` are the programs that run or read what compilers make, `absent` those that are not here, with
    the reason; `runtime` is the compiler of the runtime, or why there is none.
    """

    calls: bool | None = None
    runs: bool = True
    executors: tuple[str, ...] = ()
    absent: dict[str, str] = {}
    runtime: str = ""
    advice: tuple[Advice, ...] = ()


def executor_advice(target: Target, executors: Sequence[str]) -> tuple[Advice, ...]:
    """Return advice on what to install if programs of a target run slowly, or not at all."""
    name = target.machine
    modules = bool(name) and machine(name).signatures
    if not executors:
        install = QEMU if machine(name).name in LACKING else f"{QEMU} (fast), or {UNICORN} (no root)"
        install = WASMTIME if modules else install
        return (Advice("an executor for {}", "no program can run there", install),)
    if not modules and "native" not in executors and "qemu-user" not in executors:
        costs = "programs run under Unicorn, at about a quarter of the speed"
        return (Advice("qemu-user for {}", costs, QEMU),)
    return ()

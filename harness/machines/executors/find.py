"""The available executors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.executors.executor import Absent, Executor
from abiprobe.harness.machines.executors.native import native
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.machines.executors.unicorn import unicorn
from abiprobe.harness.machines.executors.wasmtime import wasmtime
from abiprobe.harness.machines.runtime.machine import machine as find_machine

Seek = Callable[[str, int], Executor | Absent]

CHOSEN = "ABIPROBE_EXECUTOR"
"""The environment variable that names the one executor to use, where the first that can be had will not do."""
_PREFERRED: dict[str, Seek] = {"native": native, "qemu-user": qemu_user, "unicorn": unicorn}
_OF_MODULES: dict[str, Seek] = {"wasmtime": wasmtime}
"""Those of machines whose images are modules of WebAssembly."""


def find(machine: str, vectors: int = 0) -> tuple[Executor, ...]:
    """The executors of `machine` that can be had here, fastest and most faithful first.

    They have vector registers of at least `vectors` bytes. Raises `Problem` where `CHOSEN` names none.
    """
    return tuple(each for each in _sought(machine, vectors) if not isinstance(each, Absent))


def absent(machine: str, vectors: int = 0) -> tuple[Absent, ...]:
    """The executors of `machine` with such vectors that cannot be had here, and why."""
    return tuple(each for each in _sought(machine, vectors) if isinstance(each, Absent))


def _sought(machine: str, vectors: int) -> Iterator[Executor | Absent]:
    chosen = os.environ.get(CHOSEN)
    known = (*_PREFERRED, *_OF_MODULES)
    if chosen and chosen not in known:
        raise Problem(f"{CHOSEN}: there is no executor {chosen!r}", f"one of {', '.join(known)}")
    for name, seek in (_OF_MODULES if find_machine(machine).signatures else _PREFERRED).items():
        other = chosen and name != chosen
        yield Absent(name, f"{CHOSEN} asks for {chosen}") if other else seek(machine, vectors)

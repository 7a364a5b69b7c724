"""qemu's user mode."""

from __future__ import annotations

import shutil
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness import child
from abiprobe.harness.executors.executor import Absent

if TYPE_CHECKING:
    from pathlib import Path


_RESERVE = MappingProxyType(dict.fromkeys(("riscv32", "i386"), ("-R", "1G")))
"""A 32-bit guest would have all its 4 GiB reserved, which the bound on address space may forbid."""


class QemuUser(msgspec.Struct, frozen=True):
    """Runs images under `program`, a qemu of the machine."""

    machine: str
    program: str
    name: str = "qemu-user"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (qemu's own address space) in bytes."""
        argv = (self.program, *_RESERVE.get(self.machine, ()), str(image))
        return child.run(argv, stdin=script, timeout=timeout, memory=memory)


def qemu_user(machine: str) -> QemuUser | Absent:
    """The installed qemu for `machine`."""
    names = (f"qemu-{machine}", f"qemu-{machine}-static")
    for program in filter(None, map(shutil.which, names)):
        return QemuUser(machine, program)
    return Absent("qemu-user", f"no {' or '.join(names)} on PATH; install qemu-user")

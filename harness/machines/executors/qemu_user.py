"""qemu's user mode."""

from __future__ import annotations

import re
import shutil
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.widened import widened

if TYPE_CHECKING:
    from pathlib import Path


_RESERVE = MappingProxyType(dict.fromkeys(("riscv32", "i386"), ("-R", "1G")))
"""A 32-bit guest would have all its 4 GiB reserved, which the bound on address space may forbid."""
_PROGRAMS = MappingProxyType(
    {
        "riscv64v": "riscv64",
        "aarch64_sve": "aarch64",
        "loongarch32": "loongarch64",
        "aarch64_ilp32": "aarch64",
    }
)
"""The qemu of a machine that does not go by its name."""
WIDENED = frozenset({"loongarch32", "aarch64_ilp32"})
"""The machines whose programs run as those of a 64-bit one."""
_PROCESSORS = MappingProxyType({"ppc": "7447a", "aarch64_sve": "max,sve-max-vq=2", "xtensa": "lx106"})
"""The processor to ask for where that of qemu's own choice has less than compilers may be told to use, or longer vectors."""
_RISCV = MappingProxyType(
    {"riscv32": "rv32", "riscv64": "rv64", "riscv64v": "rv64,v=true,vlen=128"},
)
_FIRST_WITH_ZFH, _FIRST_WITH_SMALL_LETTERS = (7, 1), (8, 2)


_AVX_BYTES = 32
_FIRST_WITH_AVX = (7, 2)


@cache
def _version(program: str) -> tuple[int, ...]:
    """The version of a qemu, (0,) if it does not say."""
    said = re.search(rb"version (\d+)\.(\d+)", child.run((program, "--version"), timeout=10.0).stdout)
    return tuple(map(int, said.groups())) if said else (0,)


def _processor(machine: str, program: str) -> tuple[str, ...]:
    """The processor to ask for, with the extensions that compilers may be told to use."""
    if machine in _PROCESSORS:
        return ("-cpu", _PROCESSORS[machine])
    if machine not in _RISCV:
        return ()
    version = _version(program)
    spelled = "zfh" if version >= _FIRST_WITH_SMALL_LETTERS else "Zfh"
    half = f",{spelled}=true" if version >= _FIRST_WITH_ZFH else ""
    return ("-cpu", f"{_RISCV[machine]}{half}")


class QemuUser(msgspec.Struct, frozen=True):
    """Runs images under `program`, a qemu of the machine."""

    machine: str
    program: str
    options: tuple[str, ...] = ()
    name: str = "qemu-user"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (qemu's own address space) in bytes."""
        program = widened(image) if self.machine in WIDENED else image
        argv = (self.program, *self.options, *_RESERVE.get(self.machine, ()), str(program))
        return child.run(argv, stdin=script, timeout=timeout, memory=memory)


def qemu_user(machine: str, vectors: int = 0) -> QemuUser | Absent:
    """The installed qemu for `machine`, with vector registers of at least `vectors` bytes if that is not 0."""
    if vectors > _AVX_BYTES:
        return Absent("qemu-user", "qemu has no AVX-512")
    called = _PROGRAMS.get(machine, machine)
    names = (f"qemu-{called}", f"qemu-{called}-static")
    for program in filter(None, map(shutil.which, names)):
        options = ("-cpu", "max") if vectors == _AVX_BYTES else _processor(machine, program)
        if vectors == _AVX_BYTES and (version := _version(program)) < _FIRST_WITH_AVX:
            return Absent("qemu-user", f"qemu {'.'.join(map(str, version))} has no AVX")
        return QemuUser(machine, program, options)
    return Absent("qemu-user", f"no {' or '.join(names)} on PATH; install qemu-user")

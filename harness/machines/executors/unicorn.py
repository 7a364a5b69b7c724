"""The Unicorn emulator: needs a wheel only, no root and no host of the right kind."""

from __future__ import annotations

import importlib.util
import sys
from functools import partial
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.executor import Absent

_XMM_BYTES = 16
LACKING = {
    "riscv64v": "vector extension of RISC-V",
    "aarch64_sve": "SVE",
    "loongarch64": "LoongArch",
    "loongarch32": "LoongArch",
    "ppc64": "PowerPC with POWER8's instructions",
    "mips64": "64-bit MIPS on which every program runs",
    "mips64el": "64-bit MIPS on which every program runs",
    "mipsn32el": "64-bit MIPS on which every program runs",
    "hexagon": "Hexagon",
    "sparc": "32-bit SPARC",
    "sparc64": "64-bit SPARC",
    "xtensa": "Xtensa",
}
"""Features that Unicorn's processors lack, by machine."""
_CHILD = Path(__file__).with_name("unicorn_child.py")


class Unicorn(msgspec.Struct, frozen=True):
    """Runs images under Unicorn, in a process of its own because an image may hang it.

    That is a fork where it can be one, which saves what a start of Python and of Unicorn takes: ten times what an image does.
    """

    machine: str
    name: str = "unicorn"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (the emulator's address space) in bytes."""
        if child.can_fork():
            from abiprobe.harness.machines.executors import unicorn_child

            work = partial(unicorn_child.main, self.machine, str(image))
            return child.fork(work, stdin=script, timeout=timeout, memory=memory)
        # By path, and without its folder on sys.path, where this very module would hide the real unicorn.
        argv = (sys.executable, "-P", str(_CHILD), self.machine, str(image))
        return child.run(argv, stdin=script, timeout=timeout, memory=memory)


def unicorn(machine: str, vectors: int = 0) -> Unicorn | Absent:
    """Unicorn as an executor of `machine`; it has no vector registers of more than 16 bytes (`vectors`)."""
    if vectors > _XMM_BYTES:
        return Absent("unicorn", "Unicorn has no AVX")
    if importlib.util.find_spec("unicorn") is None:
        return Absent("unicorn", "the unicorn wheel is not installed; pip install unicorn")
    if machine in LACKING:
        return Absent("unicorn", f"it has no {LACKING[machine]}")
    return Unicorn(machine)

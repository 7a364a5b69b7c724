"""wasmtime, the engine of WebAssembly that comes as a wheel."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.executor import Absent

_CHILD = Path(__file__).with_name("wasmtime_child.py")


class Wasmtime(msgspec.Struct, frozen=True):
    """Runs modules under wasmtime, in a process of its own because a module may hang."""

    machine: str
    name: str = "wasmtime"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (the engine's address space) in bytes."""
        # By path, and without its folder on sys.path, where this very module would hide the real wasmtime.
        argv = (sys.executable, "-P", str(_CHILD), str(image))
        return child.run(argv, stdin=script, timeout=timeout, memory=memory)


def wasmtime(machine: str, _vectors: int = 0) -> Wasmtime | Absent:
    """Wasmtime as an executor of `machine`."""
    if importlib.util.find_spec("wasmtime") is None:
        return Absent("wasmtime", "the wasmtime wheel is not installed; pip install wasmtime")
    return Wasmtime(machine)

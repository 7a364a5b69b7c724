"""The host itself, where it is the machine."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING

import msgspec

from abiprobe.harness import child
from abiprobe.harness.executors.executor import Absent

if TYPE_CHECKING:
    from pathlib import Path


class Native(msgspec.Struct, frozen=True):
    """Runs images of the host's own machine."""

    machine: str
    name: str = "native"

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (address space) in bytes."""
        return child.run((str(image.resolve()),), stdin=script, timeout=timeout, memory=memory)


def native(machine: str) -> Native | Absent:
    """The host as an executor of `machine`."""
    host = f"{sys.platform} on {platform.machine()}"
    if host != f"linux on {machine}":
        return Absent("native", f"this is {host}")
    return Native(machine)

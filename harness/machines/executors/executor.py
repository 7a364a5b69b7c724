"""Executors of a probe image: the script goes to its standard input, its standard output is the record stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

    from abiprobe.harness.base import child


class Executor(Protocol):
    """Runs images of one machine."""

    @property
    def name(self) -> str:
        """`native`, `qemu-user` or `unicorn`."""

    @property
    def machine(self) -> str:
        """The name of the machine whose images it runs."""

    def run(self, image: Path, script: bytes, *, timeout: float, memory: int | None = None) -> child.Exit:
        """Run `image` on `script`; `timeout` in seconds, `memory` (address space) in bytes.

        An emulator needs 2 GiB of address space for itself.
        """


class Absent(msgspec.Struct, frozen=True):
    """An executor that is not to be had here, and why."""

    name: str
    reason: str

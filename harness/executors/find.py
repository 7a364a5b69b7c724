"""Which executors there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from abiprobe.harness.executors.executor import Absent, Executor
from abiprobe.harness.executors.native import native
from abiprobe.harness.executors.qemu_user import qemu_user
from abiprobe.harness.executors.unicorn import unicorn

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFERRED: tuple[Callable[[str, int], Executor | Absent], ...] = (native, qemu_user, unicorn)


def find(machine: str, vectors: int = 0) -> tuple[Executor, ...]:
    """The executors of `machine` that can be had here, fastest and most faithful first.

    They have vector registers of at least `vectors` bytes.
    """
    return tuple(each for seek in _PREFERRED if not isinstance(each := seek(machine, vectors), Absent))


def absent(machine: str, vectors: int = 0) -> tuple[Absent, ...]:
    """The executors of `machine` with such vectors that cannot be had here, and why."""
    return tuple(each for seek in _PREFERRED if isinstance(each := seek(machine, vectors), Absent))

"""Versions of the executors (qemu, Unicorn, native) for the header of a run."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from importlib import metadata

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.executor import Executor
from abiprobe.harness.machines.executors.find import find as executors
from abiprobe.harness.machines.executors.qemu_user import QemuUser
from abiprobe.harness.machines.workbench import described, runs_programs
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Tool

SECONDS = 10.0


def tools(targets: Iterable[Target]) -> tuple[Tool, ...]:
    """The executor of each target that has one here."""
    found = ((target, executors(described(target)[0].name)) for target in targets if runs_programs(target))
    return tuple(Tool(target.spelling, each[0].name, version(each[0])) for target, each in found if each)


def version(executor: Executor) -> str:
    """The version line of an executor; of a native one, the kernel and the machine."""
    if isinstance(executor, QemuUser):
        return first_line(executor.program)
    if executor.name == "unicorn":
        return metadata.version("unicorn")
    return f"{platform.system()} {platform.machine()}"


@cache
def first_line(program: str) -> str:
    """Return the first line of a program's answer to `--version`."""
    said = child.run((program, "--version"), timeout=SECONDS).stdout.decode("utf-8", "replace")
    return next(iter(said.splitlines()), "")

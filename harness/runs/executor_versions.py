"""Versions of the executors (qemu, Unicorn, native, a GPU) for the header of a run."""

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
from abiprobe.harness.observers import registry
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import Tool

SECONDS = 10.0


def tools(targets: Iterable[Target]) -> tuple[Tool, ...]:
    """The executor of each target that has one here."""
    return tuple(filter(None, map(tool, targets)))


def tool(target: Target) -> Tool | None:
    """The executor of a target."""
    if not runs_programs(target):
        return registry.executor(target)
    found = executors(described(target)[0].name)
    return Tool(target.spelling, found[0].name, version(found[0])) if found else None


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

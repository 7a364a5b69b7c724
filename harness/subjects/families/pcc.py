"""pcc, the Portable C Compiler: a driver with a compiler proper for each instruction set."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.machines.targets import options_of, platform_named
from abiprobe.harness.subjects.subject import Family

COMMON = ("-w", "-ffreestanding")
LEVELS = {"Og": "O1", "Oz": "Os", "Ofast": "O3"}
"""It refuses the levels that it does not know."""


def find(name: str, target: str) -> tuple[str, ...] | None:
    """Find `pcc`, which serves this machine, and another one if the compiler proper for that is installed."""
    native = target.partition("-")[0] == platform.machine()
    program = shutil.which(name)
    return (
        (program,)
        if program and (native or shutil.which(platform_named(target).programs.get("pcc", "")))
        else None
    )


PCC = Family("pcc", options_of("pcc"), COMMON, find, LEVELS)

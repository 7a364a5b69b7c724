"""tcc: a one-pass compiler without optimisation; it takes `-O` and ignores it."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.machines.targets import options_of, platform_named
from abiprobe.harness.subjects.subject import Family

COMMON = ("-w",)


def find(name: str, target: str) -> tuple[str, ...] | None:
    """Find the program for a target: tcc is one per instruction set, and that of this machine starts the others."""
    machine = target.partition("-")[0]
    names = (platform_named(target).programs["tcc"], *((name,) if machine == platform.machine() else ()))
    program = next(filter(None, map(shutil.which, names)), None)
    return (program,) if program else None


TCC = Family("tcc", options_of("tcc"), COMMON, find)

"""pcc, the Portable C Compiler: a driver with a compiler proper for each instruction set."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.toolchains.subject import Family

FLAGS = {"x86_64-sysv": ("-m64",), "i386-sysv": ("-m32",)}
COMMON = ("-w", "-ffreestanding")
LEVELS = {"Og": "O1", "Oz": "Os", "Ofast": "O3"}
"""It refuses the levels that it does not know."""
COMPILERS = {"i386-sysv": "ccom_i386"}


def find(name: str, target: str) -> tuple[str, ...] | None:
    """`pcc` serves the machine we run on, and another one when the compiler proper for that is there."""
    native = target.partition("-")[0] == platform.machine()
    program = shutil.which(name)
    return (program,) if program and (native or shutil.which(COMPILERS.get(target, ""))) else None


PCC = Family("pcc", FLAGS, COMMON, find, LEVELS)

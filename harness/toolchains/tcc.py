"""tcc: a one-pass compiler without optimisation; it takes `-O` and ignores it."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.toolchains.subject import Family

FLAGS = {"x86_64-sysv": ("-m64",), "i386-sysv": ("-m32",)}
COMMON = ("-w",)
PROGRAMS = {"x86_64-sysv": "x86_64-tcc", "i386-sysv": "i386-tcc"}


def find(name: str, target: str) -> tuple[str, ...] | None:
    """`tcc` is a program per instruction set, which the one for the machine we run on starts for another."""
    machine = target.partition("-")[0]
    names = (PROGRAMS[target], *((name,) if machine == platform.machine() else ()))
    program = next(filter(None, map(shutil.which, names)), None)
    return (program,) if program else None


TCC = Family("tcc", FLAGS, COMMON, find)

"""gcc: one program per instruction set."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.toolchains.gnu import COMMON
from abiprobe.harness.toolchains.subject import Family

FLAGS = {
    "riscv64-lp64d": ("-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-mno-relax"),
    "x86_64-sysv": ("-m64", "-fcf-protection=none"),
}
PREFIXES = {
    "riscv64-lp64d": ("riscv64-linux-gnu-", "riscv64-unknown-elf-"),
    "x86_64-sysv": ("x86_64-linux-gnu-",),
}


def find(name: str, target: str) -> tuple[str, ...] | None:
    """`gcc-12` is `riscv64-linux-gnu-gcc-12` for RISC-V, and the plain program for the machine we run on."""
    prefixes = PREFIXES.get(target, ())
    if target.startswith(platform.machine()):
        prefixes = (*prefixes, "")
    if "-gcc" in name:
        prefixes = ("",) if name.startswith(PREFIXES.get(target, ())) else ()
    for prefix in prefixes:
        program = shutil.which(prefix + name)
        if program:
            return (program,)
    return None


GCC = Family("gcc", FLAGS, COMMON, find)

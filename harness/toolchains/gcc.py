"""gcc: one program per instruction set."""

from __future__ import annotations

import platform
import shutil

from abiprobe.harness.toolchains.gnu import COMMON
from abiprobe.harness.toolchains.subject import Family

FLAGS = {
    "riscv64-lp64d": ("-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-mno-relax"),
    "riscv64-lp64f": ("-march=rv64gc", "-mabi=lp64f", "-mcmodel=medany", "-mno-relax"),
    "riscv64-lp64": ("-march=rv64gc", "-mabi=lp64", "-mcmodel=medany", "-mno-relax"),
    "riscv32-ilp32d": ("-march=rv32gc", "-mabi=ilp32d", "-mcmodel=medany", "-mno-relax"),
    "riscv32-ilp32f": ("-march=rv32gc", "-mabi=ilp32f", "-mcmodel=medany", "-mno-relax"),
    "riscv32-ilp32": ("-march=rv32gc", "-mabi=ilp32", "-mcmodel=medany", "-mno-relax"),
    "riscv32-ilp32e": ("-march=rv32emac", "-mabi=ilp32e", "-mcmodel=medany", "-mno-relax"),
    "x86_64-sysv": ("-m64", "-fcf-protection=none"),
    "x86_64-vfabi": ("-m64", "-fcf-protection=none", "-fopenmp-simd"),
    "x86_64-ms": ("-m64", "-fcf-protection=none"),
    "i386-sysv": ("-m32", "-msse2", "-fcf-protection=none"),
}
PREFIXES = {
    "riscv64": ("riscv64-linux-gnu-", "riscv64-unknown-elf-"),
    # One program builds for both widths.
    "riscv32": ("riscv64-linux-gnu-", "riscv64-unknown-elf-"),
    "x86_64": ("x86_64-linux-gnu-",),
    "i386": ("i686-linux-gnu-", "x86_64-linux-gnu-"),
}
HOSTS = {"x86_64": ("x86_64", "i386"), "riscv64": ("riscv64",)}


def find(name: str, target: str) -> tuple[str, ...] | None:
    """`gcc-12` is `riscv64-linux-gnu-gcc-12` for RISC-V, and the plain program for the machine we run on."""
    machine = target.partition("-")[0]
    prefixes = PREFIXES.get(machine, ())
    if "-gcc" in name:
        prefixes = ("",) if name.startswith(prefixes) else ()
    elif machine in HOSTS.get(platform.machine(), ()):
        prefixes = (*prefixes, "")
    for prefix in prefixes:
        program = shutil.which(prefix + name)
        if program:
            return (program,)
    return None


GCC = Family("gcc", FLAGS, COMMON, find)

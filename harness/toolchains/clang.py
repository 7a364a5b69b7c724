"""clang, as an installed program."""

from __future__ import annotations

import shutil

from abiprobe.harness.toolchains import releases
from abiprobe.harness.toolchains.gnu import COMMON
from abiprobe.harness.toolchains.subject import Family

FLAGS = {
    "riscv64-lp64d": (
        "--target=riscv64-linux-gnu",
        "-march=rv64gc",
        "-mabi=lp64d",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv64-lp64f": (
        "--target=riscv64-linux-gnu",
        "-march=rv64gc",
        "-mabi=lp64f",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv64-lp64": (
        "--target=riscv64-linux-gnu",
        "-march=rv64gc",
        "-mabi=lp64",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv32-ilp32d": (
        "--target=riscv32-linux-gnu",
        "-march=rv32gc",
        "-mabi=ilp32d",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv32-ilp32f": (
        "--target=riscv32-linux-gnu",
        "-march=rv32gc",
        "-mabi=ilp32f",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv32-ilp32": (
        "--target=riscv32-linux-gnu",
        "-march=rv32gc",
        "-mabi=ilp32",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv32-ilp32e": (
        "--target=riscv32-unknown-elf",
        "-march=rv32emac",
        "-mabi=ilp32e",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv64-lp64e": (
        "--target=riscv64-unknown-elf",
        "-march=rv64emac",
        "-mabi=lp64e",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "riscv64-lp64d-vector": (
        "--target=riscv64-linux-gnu",
        "-march=rv64gcv",
        "-mabi=lp64d",
        "-mcmodel=medany",
        "-mno-relax",
    ),
    "x86_64-sysv": ("--target=x86_64-linux-gnu",),
    "x86_64-vfabi": ("--target=x86_64-linux-gnu", "-fopenmp-simd"),
    "x86_64-ms": ("--target=x86_64-linux-gnu",),
    "i386-sysv": ("--target=i386-linux-gnu", "-msse2"),
    # -S wins over -c: its object is the PTX text.
    "nvptx64-cuda": ("--target=nvptx64-nvidia-cuda", "-march=sm_75", "-S"),
}


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """`clang-19` is a program on PATH, or else a release in the cache; it serves every target."""
    program = shutil.which(name)
    return (program,) if program else releases.program(name)


CLANG = Family("clang", FLAGS, COMMON, find, any_triple=True)


def triple(target: str) -> str:
    """The target triple that makes clang's front end read C as for `target`."""
    option = next(flag for flag in FLAGS[target.partition("@")[0]] if flag.startswith("--target="))
    return option.removeprefix("--target=")

"""gcc: one program per instruction set."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from abiprobe.harness.machines.targets import PLATFORMS, options_of, platform_named
from abiprobe.harness.machines.targets.platform import is_new_enough
from abiprobe.harness.subjects.debian import tree
from abiprobe.harness.subjects.families.gnu import COMMON
from abiprobe.harness.subjects.subject import Family

TO_ELF = (sys.executable, "-P", str(Path(__file__).with_name("mingw_to_elf.py")))


def find(name: str, target: str) -> tuple[str, ...] | None:
    """Find the cross compiler of a target (`riscv64-linux-gnu-gcc-12` for `gcc-12`), or the plain program for this machine."""
    about = platform_named(target)
    if not is_new_enough(name, about.gcc_since):
        return None
    prefixes = about.gnu
    if "-gcc" in name:
        prefixes = ("",) if name.startswith(prefixes) else ()
    elif platform.machine() in about.hosts:
        prefixes = (*prefixes, "")
    return first_program(prefixes, name)


def first_program(prefixes: Iterable[str], name: str) -> tuple[str, ...] | None:
    """The first program that is there, on PATH or unpacked, by its prefixes in this order."""
    for prefix in prefixes:
        program = shutil.which(prefix + name)
        if program:
            return (program,)
        if unpacked := tree.program(prefix + name):
            return unpacked
    return None


GCC = Family(
    "gcc",
    options_of("gcc"),
    COMMON,
    find,
    prefixes={target: TO_ELF for target, about in PLATFORMS.items() if "gcc" in about.coff},
)

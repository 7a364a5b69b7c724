"""clang, as an installed program."""

from __future__ import annotations

import shutil

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects import releases
from abiprobe.harness.subjects.families.gnu import COMMON
from abiprobe.harness.subjects.subject import Family


def find(name: str, _target: str) -> tuple[str, ...] | None:
    """`clang-19` is a program on PATH, or else a release in the cache; it serves every target."""
    program = shutil.which(name)
    return (program,) if program else releases.program(name)


CLANG = Family("clang", options_of("clang"), COMMON, find, any_triple=True)

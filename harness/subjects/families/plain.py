"""A compiler that is asked for nothing but `-c` and `-o`: `cc:PROGRAM`, for small compilers and wrappers without other options.

The program decides for what it builds, so it is asked about any target, and an object file for another machine is a failure of
its own. It is not asked for its version, debug information or assembly, and has no optimisation levels.
"""

from __future__ import annotations

from types import MappingProxyType

from abiprobe.harness.machines.targets import PLATFORMS
from abiprobe.harness.subjects.subject import PLAIN, Family

LEVELS = MappingProxyType(dict.fromkeys(("O0", "O1", "O2", "O3", "Os", "Oz", "Og", "Ofast"), ""))
"""No option says how much it optimises."""


def find(_name: str, _target: str) -> tuple[str, ...] | None:
    """There is none without a program."""
    return None


CC = Family(
    "cc",
    dict.fromkeys(PLATFORMS, ()),
    (),
    find,
    LEVELS,
    observers=("objects", "image"),
    prefix=(PLAIN,),
)

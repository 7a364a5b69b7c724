"""C++ compilers: g++ as a program of its own, clang++ as clang that is told the language, and those of D by `extern (C++)`.

A compiler of D answers questions of C under its own name, and those of C++ as `ldc2++` or `gdc++-12`, Swift's as `swift++`.
"""

from __future__ import annotations

import platform
from pathlib import Path

from msgspec.structs import replace

from abiprobe.harness.machines.render import swift
from abiprobe.harness.machines.targets import options_of, platform_named
from abiprobe.harness.machines.targets.platform import is_new_enough
from abiprobe.harness.subjects.families import clang, languages
from abiprobe.harness.subjects.families.gcc import first_program
from abiprobe.harness.subjects.families.gnu import CLANG_COMMON, COMMON
from abiprobe.harness.subjects.subject import Family

CXX = ("-x", "c++", "-fno-rtti", "-fno-exceptions", "-fno-threadsafe-statics")
"""The language, and no type information and no exceptions, for which programs without a library have nothing."""
OBSERVERS = ("classes", "cxx-calls", "names", "tables")


def find_gxx(name: str, target: str) -> tuple[str, ...] | None:
    """Find the cross compiler of a target (`riscv64-linux-gnu-g++-12` for `g++-12`), or the plain program for this machine."""
    about = platform_named(target)
    if not is_new_enough(name.replace("g++", "gcc"), about.gcc_since):
        return None
    prefixes = (*about.gnu, "") if platform.machine() in about.hosts else about.gnu
    return first_program(prefixes, name)


def find_clangxx(name: str, target: str) -> tuple[str, ...] | None:
    """`clang++-19` is `clang-19`, which compiles C++ where it is told so."""
    return clang.find(name.replace("clang++", "clang"), target)


GXX = Family("g++", options_of("gcc"), (*COMMON, *CXX), find_gxx, observers=OBSERVERS)
CLANGXX = Family(
    "clang++", options_of("clang"), (*CLANG_COMMON, *CXX), find_clangxx, any_triple=True, observers=OBSERVERS
)


def in_d(plain: Family) -> Family:
    """The family of the compilers of D that `plain` is of C."""

    def find(name: str, target: str) -> tuple[str, ...] | None:
        return plain.find(name.replace("++", ""), target)

    return replace(plain, name=f"{plain.name}++", find=find, observers=OBSERVERS)


IN_D = tuple(in_d(one) for one in languages.BUILT_IN if one.name in {"ldc2", "gdc"})
"""D as C++: names, classes, calls and tables of `extern (C++)`."""
IN_SWIFT = replace(languages.of_language("swift++", Path(swift.__file__).parent), observers=("cxx-calls",))
"""Swift as it calls C++."""

"""The compilation of C for a target: the triple, the options of each compiler family, the names of cross tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

LIBRARIES: Mapping[str, tuple[str, ...]] = MappingProxyType(dict.fromkeys(("cffi", "ctypes", "luajit"), ()))
"""Foreign function libraries that are asked for other machines than this one, too; they take no options."""


class Platform(msgspec.Struct, frozen=True):
    """The compilation of C for one target, whatever the version of the compiler.

    `triple` is the target triple as LLVM spells it, empty where no LLVM of the public has one. `options` gives, by
    compiler family, the options that make it build for the target; a family that is missing cannot build for it.
    `gnu` are the prefixes of GNU cross tools, first choice first, `hosts` the processors (as `platform.machine()`
    calls them) whose own gcc builds for the target without a prefix. `programs` names, by family, a program that
    builds for this target only. `gcc_since` and `clang_since` are the first releases of gcc and clang that can build for it. The
    compilers of the families in `coff` write object files of that format, and no others.
    """

    target: str
    triple: str
    options: Mapping[str, tuple[str, ...]]
    gnu: tuple[str, ...] = ()
    hosts: frozenset[str] = frozenset()
    programs: Mapping[str, str] = MappingProxyType({})
    gcc_since: int = 0
    clang_since: int = 0
    coff: frozenset[str] = frozenset()


def is_new_enough(name: str, since: int) -> bool:
    """Return whether a compiler that is named with its release, or as a snapshot, is of this release or a later one."""
    release = re.search(r"-(\d+)$", name)
    return not since or name.endswith("-snapshot") or (release is not None and int(release[1]) >= since)


def by_triple(triple: str, *options: str) -> tuple[str, ...]:
    """The options of a compiler that takes a target triple."""
    return (f"--target={triple}", *options)

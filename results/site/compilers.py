"""The compilers of some runs in the order in which people look for them: by family, oldest version first."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.results.journal.journal import SubjectInfo
from abiprobe.results.journal.printable import line

FIRST = ("clang", "gcc")
"""The families that stand first; the others follow by name."""


class Compiler(msgspec.Struct, frozen=True):
    """A compiler of some runs: its spelling, its family, how it is called within that, and its version lines."""

    subject: str
    family: str
    short: str
    versions: tuple[str, ...]

    @property
    def display_name(self) -> str:
        """The name within its family where versions are given: `22 (zig)` for a zig with clang 22."""
        number = self.number[:1]
        if not number or self.subject == self.family or re.search(r"\d", self.short):
            return self.short
        return f"{number[0]} ({self.short})"

    @property
    def number(self) -> tuple[int, ...]:
        """Its version; empty where that is not known."""
        return max(map(numbers_of, self.versions), default=())


def ordered(infos: Iterable[SubjectInfo]) -> tuple[Compiler, ...]:
    """Every compiler once, by family and version."""
    versions: dict[str, dict[str, None]] = {}
    for info in infos:
        versions.setdefault(info.subject, {})[line(info.version)] = None
    made = (
        Compiler(subject, family(subject), short(subject), tuple(sorted(lines)))
        for subject, lines in versions.items()
    )
    return tuple(sorted(made, key=rank))


def short(subject: str) -> str:
    """Return the part of a name that identifies a compiler in its family: `22` of `clang-22`; `zig` is its own name."""
    return subject.removeprefix(f"{family(subject)}-") or subject


def rank(one: Compiler) -> tuple[int, str, tuple[int, ...], str]:
    """Sort key; a compiler whose version is not known stands first in its family."""
    place = FIRST.index(one.family) if one.family in FIRST else len(FIRST)
    return place, one.family, one.number, one.subject


def by_family(compilers: Iterable[Compiler]) -> dict[str, list[Compiler]]:
    """The compilers of each family."""
    found: dict[str, list[Compiler]] = {}
    for one in compilers:
        found.setdefault(one.family, []).append(one)
    return found

"""The importance of a known bug: how many people meet it, in C how plain, and whether the newest release still has it."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TypeAlias

from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Member, Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import FAMILIES
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.versions import Range, families_of
from abiprobe.results.causes.traits import traits
from abiprobe.results.known.deviations import Entry
from abiprobe.results.known.exposure import packages_meeting

Bug: TypeAlias = Entry | Quirk

EXPOSED = (
    "x86_64-sysv",
    "aarch64-aapcs64",
    "x86_64-windows-msvc",
    "x86_64-windows-gnu",
    "x86_64-ms",
    "aarch64-darwin",
    "arm-aapcs-vfp",
    "riscv64-lp64d",
    "i386-sysv",
    "i386-windows-msvc",
    "i386-windows-gnu",
    "aarch64-windows-msvc",
    "riscv32-ilp32",
    "powerpc64le-elfv2",
    "s390x",
    "loongarch64-lp64d",
    "wasm32",
    "nvptx64-cuda",
    "arm-aapcs",
    "sparc64",
    "powerpc64-elfv1",
    "powerpc-sysv",
)
"""Targets by how many programs run on them; all others come after them."""
USUAL = frozenset({"struct", "union", "record in a record", "integer narrower than int"})
"""Traits of plain C."""
Rank: TypeAlias = tuple[bool, bool, int, int, int, int, str]
"""Sort key of a bug: the smaller, the more it matters."""


def rank(bug: Bug, questions: Iterable[Question]) -> Rank:
    """Return the rank of a bug whose example asks the `questions`.

    First those of gcc and clang, then those that no release is known to have fixed, then by how many packages of headers meet it, then by how
    many extensions of C and unusual features the plainest declaration of the example has, then by its most used target, then the shortest.
    """
    return (
        not set(families_of(bug.subjects)) & set(FAMILIES),
        not open_ended(bug),
        -packages_meeting(bug.name),
        # A function that passes nothing only calls the others.
        min((unusual(one) for one in questions if not isinstance(one, Prototype) or one.types), default=0),
        min(map(exposure, targets(bug)), default=len(EXPOSED)),
        len(bug.example),
        bug.name,
    )


def unusual(question: Question) -> int:
    """The number of extensions of C and unusual features in a declaration; that arguments are unnamed is one."""
    found = features(question) | traits(question)
    unnamed = False
    if isinstance(question, Prototype) and question.types:
        # What is passed counts as it would in a record, where a vector is unusual, too.
        passed = Record("", tuple(Member(c_type, f"m{at}") for at, c_type in enumerate(question.types)))
        found |= features(passed) | traits(passed)
        unnamed = bool(question.unnamed)
    return len(found - USUAL) + unnamed


def open_ended(bug: Bug) -> bool:
    """Return whether no release of one of its families is known to be without the bug again."""
    return any(
        all(operator not in {"<", "<=", "=="} for operator, _ in Range.read(one).bounds)
        for one in bug.subjects
    )


def targets(bug: Bug) -> tuple[str, ...]:
    """The exposed targets that a bug reaches, the most used first."""
    return tuple(name for name in EXPOSED if any(fnmatchcase(name, pattern) for pattern in bug.targets))


def exposure(target: str) -> int:
    """The place of a target among those that are exposed."""
    return EXPOSED.index(target)

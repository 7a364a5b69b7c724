"""The promises that compilers make about themselves: options by which they say to do as an earlier release does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import pairwise

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import NEWEST, OLDEST, installed, parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.model import Target
from abiprobe.results.coverage.promises import Promise

ABI_VERSIONS = {11: 16, 12: 17, 13: 18, 14: 19, 15: 20, 16: 21}
"""The `-fabi-version` that each release of g++ had as its own, by the manual of GCC; it is about C++ only."""
OWN_LEVEL = re.compile(r"-(O(?:[0-3sgz]|fast))")


def as_release(subject: Subject, release: Subject) -> Subject:
    """Return a subject with the option by which its family says to do as a release does; raises `Problem` where it says so of none."""
    version = re.fullmatch(r".*-(\d+)", release.name)
    if version is None or release.options or subject.family.name != release.family.name:
        raise Problem(
            f"{subject} cannot be told to do as {release} does",
            f"name a release of {subject.family.name}, such as {subject.family.name}-14",
        )
    number = int(version[1])
    if subject.family.name in {"clang", "clang++"}:
        return parse_subject(f"{subject} -fclang-abi-compat={number}")
    if subject.family.name == "g++" and number in ABI_VERSIONS:
        return parse_subject(f"{subject} -fabi-version={ABI_VERSIONS[number]}")
    raise Problem(
        f"{subject} has no option to do as {release} does",
        "clang and clang++ have -fclang-abi-compat, and g++ 11 to 16 have -fabi-version",
    )


def with_own_level(subject: Subject) -> tuple[Subject, str]:
    """Return a subject without the optimisation level among its options, and that level; empty without one.

    A compiler is told the level of a question behind its own options, which would overrule it.
    """
    levels = [found[1] for word in subject.options if (found := OWN_LEVEL.fullmatch(word))]
    if not levels:
        return subject, ""
    rest = " ".join(word for word in subject.options if not OWN_LEVEL.fullmatch(word))
    return parse_subject(f"{subject.name} {rest}".strip()), levels[-1]


class Kind(Enum):
    """The subject matter of a promise in a matrix; the value is its heading."""

    RELEASE = "As an earlier release, by an option"
    NEIGHBOURS = "From one release to the next"
    STANDARDS = "Under another standard"
    EXTENSIONS = "With extensions of the language"
    LEVELS = "At another optimisation level"


MATRICES = {"clang": ("clang", "clang++"), "gcc": ("gcc", "g++")}
"""The families of C and of C++ whose promises make a matrix."""
STANDARDS = {
    "clang": ("gnu99", "gnu17", "gnu2x"),
    "gcc": ("gnu99", "gnu17", "gnu2x"),
    "clang++": ("gnu++14", "gnu++17", "gnu++20"),
    "g++": ("gnu++14", "gnu++17", "gnu++20"),
}
EXTENSIONS = {
    "clang": ("-fms-extensions", "-fms-compatibility"),
    "gcc": ("-fms-extensions", "-fplan9-extensions"),
    "clang++": ("-fms-extensions", "-fms-compatibility"),
    "g++": ("-fms-extensions",),
}
LEVELS = ("O1", "O2", "O3", "Os")
"""The levels that are compared with -O0."""


def matrix(name: str, targets: Sequence[Target]) -> tuple[tuple[Kind, Promise], ...]:
    """The promises that a family makes about itself, of its installed releases; raises `Problem` where there are not two."""
    found = [one for family in MATRICES[name] for one in of_family(family, targets)]
    if not any(kind in {Kind.RELEASE, Kind.NEIGHBOURS} for kind, _ in found):
        raise Problem(f"no two releases of {name} are installed", "abiprobe toolchains install")
    return tuple(dict.fromkeys(found))


def of_family(name: str, targets: Sequence[Target]) -> Iterator[tuple[Kind, Promise]]:
    """Yield the promises of one family."""
    every = releases(name, targets)
    if not every:
        return
    newest = every[-1]
    for release in every[:-1]:
        with suppress(Problem):
            flagged = as_release(newest, release)
            yield Kind.RELEASE, Promise(flagged.spelling, release.spelling)
    for target in targets:
        here = releases(name, (target,))
        for before, after in pairwise(here):
            yield Kind.NEIGHBOURS, Promise(after.spelling, before.spelling)
    first, *standards = STANDARDS[name]
    for release in reversed(every):
        for standard in standards:
            yield Kind.STANDARDS, Promise(f"{release} -std={standard}", f"{release} -std={first}")
    for option in EXTENSIONS[name]:
        yield Kind.EXTENSIONS, Promise(f"{newest} {option}", newest.spelling)
    # A layout does not depend on the level, and calls of C++ are not asked.
    if name in {"clang", "gcc"}:
        for level in LEVELS:
            yield Kind.LEVELS, Promise(newest.spelling, newest.spelling, level, "O0")


def releases(name: str, targets: Sequence[Target]) -> tuple[Subject, ...]:
    """The installed releases of a family, oldest first."""
    found = (parse_subject(f"{name}-{number}") for number in range(OLDEST + 1, NEWEST + 1))
    return tuple(one for one in found if installed(one, targets))

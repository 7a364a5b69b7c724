"""The examples of quirks, and the targets and compilers that they are put to."""

from __future__ import annotations

from functools import cache

import pytest

from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.harness.triage.quirk_examples import examples_of
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.versions import families_of, family
from abiprobe.oracles.registry import CXX_TARGETS, TARGETS, find_target

LEVELS = ("O0", "O2")
SUBJECTS = (
    "clang-13", "clang-14", "clang-15", "clang-16", "clang-19", "clang-20", "clang-22", "clang-23", "clang-24",
    "gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "gcc-16", "tcc", "pcc",
    "g++-12", "g++-16", "clang++-13", "clang++-15", "clang++-19", "clang++-22", "clang++-24",
)  # fmt: skip
"""The embedded clang is left out: it is a release that is here by its own name."""
LANGUAGES = ("rustc", "zig-lang", "ldc2")
"""Compilers of other languages, which have more deviations than quirks; only the examples of their own ones are asked of them."""
QUICK = {
    (target, subject)
    for target in ("x86_64-sysv", "riscv64-lp64d")
    for subject in ("clang-22", "gcc-12", "g++-12", "clang++-22")
}


@cache
def examples(target: str) -> dict[str, tuple[Question, ...]]:
    """By the name of each quirk that reaches a target, the declarations of its example that the quirk makes another question of."""
    return dict(examples_of(find_target(target), QUIRKS.values()))


def pairs(*, of_c: bool = False) -> list[object]:
    """Targets with the compilers of a family that a quirk for them names; with `of_c` those alone that are asked about calls of C."""
    found: list[object] = []
    for target in TARGETS:
        mine = (quirk for quirk in QUIRKS.values() if quirk.reaches(target))
        families = {one for quirk in mine for one in families_of(quirk.subjects)}
        for subject in (*SUBJECTS, *LANGUAGES):
            if "++" in subject and (of_c or target not in CXX_TARGETS):
                continue
            if family(subject) in families:
                marks = () if (target, subject) in QUICK else (pytest.mark.long,)
                found.append(pytest.param(target, subject, marks=marks))
    return found


def version_of(target: str, subject: str) -> str:
    """The version line of a compiler, or a skip that names what is missing."""
    built = build(parse_subject(subject), find_target(target), LEVELS[0])
    if built is None:
        pytest.skip(f"{subject} is not installed for {target}")
    return identity(built.command).version

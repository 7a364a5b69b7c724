"""The promises that compilers make about themselves: options by which they say to do as an earlier release does."""

from __future__ import annotations

import re

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import Subject

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

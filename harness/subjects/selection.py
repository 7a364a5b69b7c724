"""Selection of the subjects that a user asks for, for each target."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.subjects.find import discover, discover_cxx, installed, parse_subject
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.subjects.trust import allow
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import TARGETS

SHOWN = 4
"""Targets that a line names."""


def named_subjects(text: str) -> tuple[Subject, ...]:
    """Comma-separated subjects, each once; raises what `parse_subject` raises."""
    found = [parse_subject(part.strip()) for part in text.split(",") if part.strip()]
    for subject in found:
        allow(subject)
    return tuple(dict.fromkeys(found))


def absent_programs(subjects: Sequence[Subject], targets: Sequence[Target]) -> tuple[Subject, ...]:
    """Return the subjects that name a program which is not there, such as a compiler that failed to build.

    There are none where nothing else would be left. A release that is not installed is a name that is not known here.
    """
    there = [subject for subject in subjects if installed(subject, targets)]
    gone = tuple(subject for subject in subjects if subject not in there and ":" in subject.name)
    return gone if there else ()


def not_installed(subject: Subject, targets: Sequence[Target]) -> Problem:
    """The problem with a subject that is named and not there: it is asked on other targets only, or it is not installed."""
    spelling, words = subject.spelling, ", ".join(map(str, targets))
    where = [target for target in TARGETS.values() if installed(subject, (target,))]
    if where:
        return Problem(f"{spelling} cannot be tested on {words}", f"it is tested on {shown(where)} only")
    able = [target for target in TARGETS.values() if target.name in subject.family.flags]
    if not set(able) & set(targets):
        return Problem(
            f"{spelling} cannot be tested on {words}, nor is it installed",
            f"it would be tested on {shown(able)} only",
        )
    if cross := re.fullmatch(r"gcc:\w[\w-]*-(gcc-\d+)", spelling):
        return Problem(
            f"compiler {spelling!r} is not installed",
            f"name {cross[1]}: the target chooses its cross compiler",
        )
    near = (one.spelling for one in discover(tuple(targets)))
    return Problem(
        f"compiler {spelling!r} is not installed for {words}",
        hint(spelling, near, "see: abiprobe list toolchains"),
    )


def shown(targets: Sequence[Target]) -> str:
    """The first of some targets in words, and how many more there are."""
    more = f" and {len(targets) - SHOWN} more" if targets[SHOWN:] else ""
    return ", ".join(map(str, targets[:SHOWN])) + more


def discovered(targets: tuple[Target, ...], *, cxx: bool) -> tuple[Subject, ...]:
    """All subjects that are installed; compilers of C++ among them if `cxx` is set. This looks at many programs."""
    return (*discover(targets), *(discover_cxx(targets) if cxx else ()))


def select_subjects(
    named: Sequence[Subject] | None, targets: tuple[Target, ...], *, lenient: bool = False, cxx: bool = False
) -> dict[Target, tuple[Subject, ...]]:
    """The subjects for each target: those named, or all that are installed; raises `Problem` for a missing one.

    `lenient` leaves out programs that are not there, as long as another subject is. Compilers of C++ are among those that are
    not named if `cxx` is set.
    """
    absent = absent_programs(named, targets) if named and lenient else ()
    for subject in named or ():
        if subject not in absent and not installed(subject, targets):
            raise not_installed(subject, targets)
    found = named or discovered(targets, cxx=cxx)
    if not found:
        raise Problem(
            f"no compiler is installed for {', '.join(map(str, targets))}",
            "pip install ziglang; see: abiprobe doctor",
        )
    return {target: tuple(one for one in found if installed(one, (target,))) for target in targets}

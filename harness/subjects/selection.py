"""Selection of the subjects that a user asks for, for each target."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.subjects.find import discover, discover_cxx, installed, parse_subject
from abiprobe.harness.subjects.trust import allow
from abiprobe.oracles.registry import TARGETS

SHOWN = 4
"""Targets that a line names."""


def subject_names(text: str) -> tuple[str, ...]:
    """Comma-separated subjects, each of a known family, spelled in one way."""
    found = [parse_subject(part.strip()) for part in text.split(",") if part.strip()]
    for subject in found:
        allow(subject)
    return tuple(dict.fromkeys(subject.spelling for subject in found))


def absent_programs(names: Sequence[str], targets: Sequence[str]) -> tuple[str, ...]:
    """Return the subjects that name a program which is not there, such as a compiler that failed to build.

    There are none where nothing else would be left. A release that is not installed is a name that is not known here.
    """
    there = [name for name in names if installed(parse_subject(name), targets)]
    gone = tuple(name for name in names if name not in there and ":" in parse_subject(name).name)
    return gone if there else ()


def not_installed(spelling: str, targets: Sequence[str]) -> Problem:
    """The problem with a subject that is named and not there: it is asked on other targets only, or it is not installed."""
    subject = parse_subject(spelling)
    where = [target for target in TARGETS if installed(subject, (target,))]
    if where:
        asked = ", ".join(where[:SHOWN]) + (f" and {len(where) - SHOWN} more" if where[SHOWN:] else "")
        return Problem(
            f"{spelling} cannot be tested on {', '.join(targets)}", f"it is tested on {asked} only"
        )
    near = (one.spelling for one in discover(tuple(targets)))
    return Problem(
        f"compiler {spelling!r} is not installed for {', '.join(targets)}",
        hint(spelling, near, "see: abiprobe list toolchains"),
    )


def discovered(targets: tuple[str, ...], *, cxx: bool) -> tuple[str, ...]:
    """All subjects that are installed; compilers of C++ among them if `cxx` is set. This looks at many programs."""
    here = (*discover(targets), *(discover_cxx(targets) if cxx else ()))
    return tuple(subject.spelling for subject in here)


def select_subjects(
    named: Sequence[str] | None, targets: tuple[str, ...], *, lenient: bool = False, cxx: bool = False
) -> dict[str, tuple[str, ...]]:
    """The subjects for each target: those named, or all that are installed; raises `Problem` for a missing one.

    `lenient` leaves out programs that are not there, as long as another subject is. Compilers of C++ are among those that are
    not named if `cxx` is set.
    """
    absent = absent_programs(named, targets) if named and lenient else ()
    for spelling in named or ():
        if spelling in absent:
            continue
        if not installed(parse_subject(spelling), targets):
            raise not_installed(spelling, targets)
    found = named or discovered(targets, cxx=cxx)
    if not found:
        raise Problem(
            f"no compiler is installed for {', '.join(targets)}", "pip install ziglang; see: abiprobe doctor"
        )
    return {
        target: tuple(one for one in found if installed(parse_subject(one), (target,))) for target in targets
    }

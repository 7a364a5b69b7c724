"""Which subjects a user asks for, and which of them each target has."""

from __future__ import annotations

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.find import discover, installed, parse_subject
from abiprobe.harness.subjects.trust import allow


def subject_names(text: str) -> tuple[str, ...]:
    """Comma-separated subjects, each of a known family, spelled in one way."""
    found = [parse_subject(part.strip()) for part in text.split(",") if part.strip()]
    for subject in found:
        allow(subject)
    return tuple(dict.fromkeys(subject.spelling for subject in found))


def select_subjects(text: str | None, targets: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The subjects for each target: those named, or all that are installed; raises `Problem` for a missing one."""
    named = None if text is None else subject_names(text)
    for spelling in named or ():
        if not installed(parse_subject(spelling), targets):
            raise Problem(
                f"compiler {spelling!r} is not installed for {', '.join(targets)}",
                "see: abiprobe list toolchains",
            )
    found = named or tuple(subject.spelling for subject in discover(targets))
    if not found:
        raise Problem(
            f"no compiler is installed for {', '.join(targets)}", "pip install ziglang; see: abiprobe doctor"
        )
    return {
        target: tuple(one for one in found if installed(parse_subject(one), (target,))) for target in targets
    }

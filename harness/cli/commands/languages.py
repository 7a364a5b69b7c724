"""Compilers of other languages than C, and libraries that call C: what is installed, and the targets that each reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abiprobe.harness.base.progress import counted
from abiprobe.harness.subjects.find import FAMILIES, command, discover_cxx, parse_subject, versions
from abiprobe.harness.subjects.subject import Family, Subject
from abiprobe.oracles.model import Target

ABSENT = "not installed"
LIBRARY = "library"
"""The observer of libraries that are no compilers."""


def languages(targets: Sequence[Target]) -> list[dict[str, Any]]:
    """A row for each that may be named: its version and its targets; what is not installed has those that it would have."""
    families = [family for family in FAMILIES.values() if family.language or LIBRARY in family.observers]
    subjects = [*discover_cxx(targets), *(parse_subject(family.name) for family in families)]
    rows = [row(one, targets) for one in counted(subjects, "versions of languages", len(subjects))]
    return [one for one in rows if one["targets"]]


def row(subject: Subject, targets: Sequence[Target]) -> dict[str, Any]:
    """One row; `versions` gives the targets of each version line."""
    commands = {target.name: words for target in targets if (words := command(subject, target)) is not None}
    found = versions(commands) if commands else {ABSENT: reached(subject.family, targets)}
    return {
        "toolchain": subject.spelling,
        "version": next(iter(found)),
        "versions": found,
        "targets": [name for names in found.values() for name in names],
        "any_triple": False,
        "installed": bool(commands),
    }


def reached(family: Family, targets: Sequence[Target]) -> list[str]:
    """The names of the targets that a family can be asked on, wherever it is installed."""
    return [target.name for target in targets if target.name in family.flags]

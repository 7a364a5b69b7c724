"""A program in C by which a compiler shows a bug of the dossier to who has no abiprobe."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from abiprobe.harness.api.asking import name_of
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.triage.cases import Case, find_cases, of_those_here
from abiprobe.harness.triage.exports.forms import Form, export
from abiprobe.harness.triage.exports.trying import tried
from abiprobe.oracles.registry import find_target


def program(
    example: str, names: Collection[str], target: str, subject: str, levels: tuple[str, ...]
) -> Mapping[str, str]:
    """The files of a program, by name, that ends with an error as a compiler builds it.

    It is about one of the declarations of an `example` that are called so. Empty where one compiler alone cannot show the bug in C, or
    the program was not seen to fail.
    """
    with temporary() as folder:
        path = Path(folder, "example.h")
        path.write_text(example, "utf-8")
        try:
            cases = find_cases(str(path), None, (find_target(target),), subject, levels)
        except Problem:
            return {}
    for case in cases:
        if name_of(case.question) in names:
            with suppress(Problem):
                files = export(of_those_here(case), Form.C)
                if fails(case, files):
                    return files
    return {}


def fails(case: Case, files: Mapping[str, str]) -> bool:
    """Return whether a program fails with each compiler and level to blame; not where there is no `make`."""
    with temporary() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, "utf-8")
        seen = tried(case, Form.C, Path(folder))
    return bool(seen) and all(seen.values())

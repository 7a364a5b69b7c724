"""The rows of `oracles/golden/ptx.tsv` of compilers that are installed, measured again."""

from __future__ import annotations

import re

import pytest

from abiprobe.harness.runs.golden import question
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.golden import Row, rows
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.registry import TARGETS, find_target

from .measuring import measured

SUBJECTS = {
    "nvcc": ("nvcc",),
    "nvrtc": ("nvrtc",),
    "clang": ("clang-22", "clang-19"),
    "clang-16": ("clang-16",),
    "clang-14": ("clang-14",),
}
SILENT = {"unspecified", "unsupported"}
SAMPLE = 3
"""One row of so many; all of them take a quarter of a minute for each compiler."""


def here(dialect: str) -> str:
    """A subject of a dialect that is installed, empty for none."""
    target = TARGETS["nvptx64-cuda"].in_dialect(dialect).spelling
    return next(
        (name for name in SUBJECTS[dialect] if installed(parse_subject(name), (find_target(target),))), ""
    )


def chosen(dialect: str) -> list[tuple[Row, Prototype]]:
    """A sample of the rows that a dialect's compiler can be asked."""
    target = TARGETS["nvptx64-cuda"].in_dialect(dialect).spelling
    own = [row for row in rows() if row.target == target and row.answer not in SILENT]
    asked = [(row, question(row)) for row in own[::SAMPLE]]
    return [(row, one) for row, one in asked if isinstance(one, Prototype)]


@pytest.mark.parametrize("dialect", list(filter(here, SUBJECTS)) or ["clang"])
def test_compilers_make_what_the_table_says(ptxas: Tool, dialect: str) -> None:
    target, subject = TARGETS["nvptx64-cuda"].in_dialect(dialect).spelling, here(dialect)
    if not subject:
        pytest.skip(f"none of {', '.join(SUBJECTS[dialect])} is installed for {target}")
    asked = chosen(dialect)
    found = measured(ptxas, target, subject, [one for _, one in asked])
    seen = [
        (measurable(row.answer), line) for (row, _), line in zip(asked, found, strict=True) if is_seen(line)
    ]
    assert len(seen) > len(asked) // 2
    for expected, line in seen:
        assert line == expected


def measurable(said: str) -> str:
    """Places and declarations of an answer, without what only a model says."""
    first, *more = said.split("; ")
    return "; ".join((first, *(part for part in more if part.startswith("declared"))))


def is_seen(line: str) -> bool:
    """Return whether anything was observed; releases of ptxas without sm_100 tell nothing of its kernels."""
    return re.match(r"unseen|$", line) is None

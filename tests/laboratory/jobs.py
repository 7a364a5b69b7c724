"""Jobs from the names of a target and of subjects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from abiprobe.harness.observers.batch import Job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target


def spelled_job(
    target: str,
    number: int,
    sort: Sort,
    questions: tuple[Question, ...],
    subjects: Iterable[tuple[str, str]],
    limits: Limits | None = None,
    **more: Any,
) -> Job:
    """A job whose target and subjects, each at a level, are spelled as a user does."""
    asked = tuple(map(at_level, subjects))
    return Job(find_target(target), number, sort, questions, asked, limits or Limits(), **more)

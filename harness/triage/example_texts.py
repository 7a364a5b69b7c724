"""The examples of causes in C, and in the languages of the compilers that show them."""

from __future__ import annotations

from abiprobe.harness.subjects.question_text import in_languages, question_text
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.cluster import Cluster


def example_text(item: Cluster) -> str:
    """The smallest example of a cause, which several causes may share, for those that show this one."""
    return question_text(item.first.example, find_target(item.first.fingerprint.target), item.subjects)


def other_languages(item: Cluster) -> dict[str, str]:
    """The smallest example of a cause in each language but C."""
    return in_languages(item.first.example, find_target(item.first.fingerprint.target), item.subjects)

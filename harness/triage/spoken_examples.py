"""The examples of causes in C, and in the languages of the compilers that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.subjects.spoken import in_languages, spoken
from abiprobe.oracles.question import Question
from abiprobe.results.cluster import Cluster


def spoken_examples(clusters: Iterable[Cluster]) -> Callable[[Question], str]:
    """What prints the example of each cluster for its own subjects, and any other question in C."""
    texts = {item.first.example: spoken_example(item) for item in clusters}
    return lambda question: texts.get(question) or declaration(question)


def spoken_example(item: Cluster) -> str:
    """The smallest example of a cause."""
    return spoken(item.first.example, item.first.fingerprint.target, item.subjects)


def other_languages(item: Cluster) -> dict[str, str]:
    """The smallest example of a cause in each language but C."""
    return in_languages(item.first.example, item.first.fingerprint.target, item.subjects)

"""Endless streams of questions: seeded decisions by number, and no question twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

from abiprobe.generators.draw import SeededDraw
from abiprobe.oracles.language.question import Question, probe

Q = TypeVar("Q", bound=Question)


def seeded(what: str, seed: int, number: int) -> SeededDraw:
    """The decisions of one member of a stream, by what it streams, the seed and a number: the same on every machine."""
    digest = hashlib.sha256(f"{what} {seed} {number}".encode()).digest()
    return SeededDraw(int.from_bytes(digest[:8], "big"))


def once(questions: Iterable[Q]) -> Iterator[Q]:
    """Yield each question the first time that it comes.

    What was asked is remembered by its id, so a long run costs little memory.
    """
    asked: set[str] = set()
    for question in questions:
        identity = probe(question).id
        if identity not in asked:
            asked.add(identity)
            yield question

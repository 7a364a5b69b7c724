"""Faux compilers beside an honest one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.question import Question

from .putting import Ask, Honest, Verdicts, program, put

ABOUT_FEATURES = frozenset({"refuses_int128", "crashes_on_complex"})
"""Lies that show when a compiler is asked what it can do, which it is asked once."""


@pytest.fixture(scope="session")
def faux(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The faux compiler, which was asked for its features while it was honest."""
    return program(tmp_path_factory.mktemp("faux"))


@pytest.fixture(scope="session")
def honest(faux: Path) -> Honest:
    """Asks the faux compiler while it tells the truth."""

    @cache
    def ask(target: str, questions: tuple[Question, ...]) -> Verdicts:
        return put(faux, "tells_the_truth", target, questions, Limits())

    return ask


@pytest.fixture
def lied(tmp_path: Path, faux: Path, honest: Honest) -> Ask:
    """Asks a liar, and gives the verdicts that are not an honest compiler's."""

    def ask(lie: str, target: str, questions: tuple[Question, ...], limits: Limits) -> Verdicts:
        truth = honest(target, questions)
        told = put(program(tmp_path) if lie in ABOUT_FEATURES else faux, lie, target, questions, limits)
        assert told.keys() == truth.keys()
        return {key: verdict for key, verdict in told.items() if verdict != truth[key]}

    return ask

"""Faux compilers beside an honest one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from abiprobe.harness.compile import Limits
from abiprobe.oracles.question import Question

from .putting import Ask, Honest, Verdicts, put


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    """Asks an honest compiler, made the way the liars are."""
    folder = tmp_path_factory.mktemp("honest")

    @cache
    def ask(target: str, questions: tuple[Question, ...]) -> Verdicts:
        return put(folder, "tells_the_truth", target, questions, Limits())

    return ask


@pytest.fixture
def lied(tmp_path: Path, honest: Honest) -> Ask:
    """Asks a liar, and gives the verdicts that are not an honest compiler's."""

    def ask(lie: str, target: str, questions: tuple[Question, ...], limits: Limits) -> Verdicts:
        truth = honest(target, questions)
        told = put(tmp_path, lie, target, questions, limits)
        assert told.keys() == truth.keys()
        return {key: verdict for key, verdict in told.items() if verdict != truth[key]}

    return ask

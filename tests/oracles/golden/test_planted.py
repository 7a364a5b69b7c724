"""Wrong models by hand: the golden vectors that go with every run tell each of them."""

from __future__ import annotations

import pytest
from laboratory.forking import forked
from laboratory.menu import Mutant
from laboratory.planted import PLANTED, contradiction, planted

from abiprobe.harness.runs.golden import question
from abiprobe.oracles import golden
from abiprobe.oracles.golden import REGISTERS

JOBS = 2
TARGETS = {wrong.function: target for target, wrong in planted()}


def asked(wrong: Mutant) -> str:
    """The first golden vector that a wrong model contradicts."""
    return contradiction(TARGETS[wrong.function], wrong)


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """What is told of each wrong model; each is asked in a process of its own."""
    # What is read here need not be read by each of the processes.
    for row in golden.rows():
        if row.target in TARGETS.values() and row.source != REGISTERS:
            question(row)
    every = [wrong for _, wrong in planted()]
    return {wrong.function: said for wrong, said in forked(asked, every, JOBS)}


def test_there_are_fifty() -> None:
    assert len(PLANTED) >= 50


@pytest.mark.parametrize("name", TARGETS)
def test_a_wrong_model_is_told(told: dict[str, str], name: str) -> None:
    assert told[name].startswith("the model of ")
    assert " contradicts the text: " in told[name]

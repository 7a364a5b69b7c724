"""AALpy's W-method, an independent implementation, has the same words and tells the same machines."""

from __future__ import annotations

from functools import cache

import pytest

from abiprobe.generators.complete.calls import calls
from abiprobe.generators.complete.covering import state_cover
from abiprobe.generators.complete.identifiers import characterization_set, divided
from abiprobe.generators.complete.machine import Machine
from abiprobe.generators.complete.suite import every_word, longest, suite
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.tours.driving import Driver, Mode
from abiprobe.generators.tours.learning import derive
from abiprobe.oracles.registry import find_model

from .mutants import difference, is_told, mutant

aalpy = pytest.importorskip("aalpy", reason="aalpy is not installed")
from aalpy.automata import MealyMachine  # noqa: E402
from aalpy.base import SUL  # noqa: E402
from aalpy.oracles import WMethodEqOracle  # noqa: E402
from aalpy.SULs import AutomatonSUL  # noqa: E402

MODELS = ["x86_64-ms", "riscv32-ilp32e", "upmem-dpu"]
EXTRA = 1
MUTANTS = 100


@cache
def arguments(target: str) -> Machine:
    """The machine of a model's calls without result, all of whose letters are arguments: AALpy has complete machines."""
    driver = Driver(find_model(target))
    whole = calls(driver, derive(driver, Mode(), 40)).machine
    order = [whole.steps[0][0][1]]
    for state in order:
        order += dict.fromkeys(to for _, to in whole.steps[state].values() if to not in order)
    numbers = {state: number for number, state in enumerate(order)}
    steps = ({one: (out, numbers[to]) for one, (out, to) in whole.steps[state].items()} for state in order)
    return Machine(tuple(steps), (0,) * len(order), whole.common)


def theirs(machine: Machine) -> MealyMachine:
    """The same machine as AALpy has it."""
    rows = {
        str(state): {letter: (str(out), str(to)) for letter, (out, to) in steps.items()}
        for state, steps in enumerate(machine.steps)
    }
    found = MealyMachine.from_state_setup(rows)
    found.compute_prefixes()
    return found


def oracle(machine: Machine, under_test: Machine) -> WMethodEqOracle:
    """Their test of another machine, for `EXTRA` states more."""
    sul: SUL = AutomatonSUL(theirs(under_test))
    return WMethodEqOracle(sorted(machine.steps[0]), sul, len(machine.steps) + EXTRA)


@pytest.mark.parametrize("target", MODELS)
def test_each_set_tells_states_apart_by_the_rules_of_the_other(target: str) -> None:
    machine = arguments(target)
    other = theirs(machine)
    blocks = [list(other.states)]
    for word in characterization_set(machine):
        blocks = other._split_blocks(blocks, word)
    assert all(len(block) == 1 for block in blocks)
    groups = [tuple(range(len(machine.steps)))]
    for word in other.compute_characterization_set():
        groups = divided(machine, groups, word)
    assert groups == []


@pytest.mark.parametrize("target", MODELS)
def test_covers_are_as_long(target: str) -> None:
    machine = arguments(target)
    prefixes = {int(state.state_id): state.prefix for state in theirs(machine).states}
    assert [len(word) for word in state_cover(machine)] == [len(prefixes[one]) for one in sorted(prefixes)]


@pytest.mark.parametrize("target", MODELS)
def test_the_words_are_the_same_for_the_same_cover_and_set(target: str) -> None:
    machine = arguments(target)
    cover, words = state_cover(machine), characterization_set(machine)
    transitions = [(*word, letter) for word in cover for letter in machine.steps[0]]
    made = set(oracle(machine, machine).test_suite(transitions, EXTRA + 1, list(words)))
    # The W-method has each word behind each state; theirs leaves out what follows nothing.
    own = set(every_word(machine, EXTRA, cover, [words] * len(machine.steps)))
    assert longest(made | set(words)) == longest(own)


@pytest.mark.parametrize("target", MODELS)
def test_both_tell_the_same_mutants(target: str) -> None:
    machine = arguments(target)
    mine, cover, draw = suite(machine, EXTRA), state_cover(machine), SeededDraw(7)
    for _ in range(MUTANTS):
        other = mutant(draw, machine, EXTRA)
        told = oracle(machine, other.machine).find_cex(theirs(machine)) is not None
        assert told is is_told(machine, mine, cover, other)
        assert told is (difference(machine, other.machine) is not None)

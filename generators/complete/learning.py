"""The automaton of a model, held against the model by the automaton's own suite until they agree.

Walks at random may miss a state. The suite for no extra state misses none, unless the model has more states than were found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from abiprobe.generators.complete.calls import calls
from abiprobe.generators.complete.identifiers import InseparableError, characterization_set
from abiprobe.generators.complete.machine import Machine, Word, told_everywhere
from abiprobe.generators.complete.suite import suite_by
from abiprobe.generators.tours.automaton import Automaton
from abiprobe.generators.tours.driving import Driver, Mode
from abiprobe.generators.tours.learning import Walk, derive

LONGEST = 64
"""Arguments of the longest call by which a state is looked for: more than any model needs."""


def learnt(driver: Driver, mode: Mode) -> Automaton:
    """The automaton of one mode, which answers its own suite as the model does."""
    return derive(driver, mode, LONGEST, partial(doubts, driver))


def doubts(driver: Driver, automaton: Automaton) -> Iterator[Walk]:
    """Yield the suite of an automaton for no extra state, as the numbers of starts and classes; nothing where there is none."""
    found = calls(driver, automaton)
    results = len(automaton.starts)
    try:
        machine, telling = separable(found.machine)
        words = suite_by(machine, 0, telling)
    except InseparableError:
        return
    for word in words:
        yield word[0], tuple(letter - results for letter in word[1:])


def separable(machine: Machine) -> tuple[Machine, tuple[Word, ...]]:
    """Return a machine with its characterization set, without the letters that are in the way where two states cannot be told apart.

    Raises `InseparableError` where they cannot without these letters, either.
    """
    try:
        return machine, characterization_set(machine)
    except InseparableError:
        # Where the model is silent about a class in some states, these may differ in nothing else.
        without = told_everywhere(machine)
        return without, characterization_set(without)

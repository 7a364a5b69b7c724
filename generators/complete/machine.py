"""A Mealy machine with a reset, and words over its letters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

Letter: TypeAlias = int
Word: TypeAlias = tuple[Letter, ...]
Step: TypeAlias = tuple[Hashable, int]
"""An output, and the state that is entered."""


@dataclass(frozen=True)
class Machine:
    """A deterministic Mealy machine, maybe partial; it begins in state 0.

    `phases` are what a tester knows of a state without seeing an output, as the word alone tells it. The letters that are not `common` are avoided where others do.
    """

    steps: tuple[Mapping[Letter, Step], ...]
    phases: tuple[int, ...]
    common: frozenset[Letter]

    @cached_property
    def telling(self) -> tuple[Letter, ...]:
        """The letters that are allowed in all states of a phase or in none, common ones first: these may tell states apart."""
        by_phase: dict[int, list[frozenset[Letter]]] = {}
        for phase, steps in zip(self.phases, self.steps, strict=True):
            by_phase.setdefault(phase, []).append(frozenset(steps))
        some = frozenset[Letter]().union(*(letters for found in by_phase.values() for letters in found))
        partly = (frozenset.union(*found) - frozenset.intersection(*found) for found in by_phase.values())
        total = some - frozenset[Letter]().union(*partly)
        return tuple(sorted(total, key=lambda letter: (letter not in self.common, letter)))

    def after(self, state: int, word: Word) -> int:
        """Return the state to which a word leads; raises `KeyError` where it is not allowed."""
        for letter in word:
            state = self.steps[state][letter][1]
        return state

    def outputs(self, state: int, word: Word) -> tuple[Hashable, ...]:
        """Return the outputs of a word, up to the first letter that is not allowed."""
        found = []
        for letter in word:
            step = self.steps[state].get(letter)
            if step is None:
                break
            found.append(step[0])
            state = step[1]
        return tuple(found)


def told_everywhere(machine: Machine) -> Machine:
    """Return the minimal machine of the letters that may tell states apart, without the others."""
    kept = frozenset(machine.telling)
    steps = ({one: steps[one] for one in steps.keys() & kept} for steps in machine.steps)
    return reached(minimal(Machine(tuple(steps), machine.phases, machine.common)))


def reached(machine: Machine) -> Machine:
    """Return a machine without the states to which no word leads."""
    order = [0]
    for state in order:
        order += dict.fromkeys(to for _, to in machine.steps[state].values() if to not in order)
    steps = (
        {letter: (given, order.index(to)) for letter, (given, to) in machine.steps[state].items()}
        for state in order
    )
    return Machine(tuple(steps), tuple(machine.phases[state] for state in order), machine.common)


def minimal(machine: Machine) -> Machine:
    """Return a machine with one state for all that answer every word alike, by refining a partition (Moore 1956)."""
    classes: Sequence[int] = machine.phases
    while True:
        numbers: dict[Hashable, int] = {}
        refined = [
            numbers.setdefault((classes[state], answers(steps, classes)), len(numbers))
            for state, steps in enumerate(machine.steps)
        ]
        if len(numbers) == len(set(classes)):
            break
        classes = refined
    first = [refined.index(number) for number in range(len(numbers))]
    steps = (
        {letter: (given, refined[target]) for letter, (given, target) in machine.steps[state].items()}
        for state in first
    )
    return Machine(tuple(steps), tuple(machine.phases[state] for state in first), machine.common)


def answers(steps: Mapping[Letter, Step], classes: Sequence[int]) -> Hashable:
    """Return what a state answers to each letter, and of which class the state is that it enters."""
    return frozenset((letter, given, classes[target]) for letter, (given, target) in steps.items())

"""The calls of a model in one mode as a machine: the first letter is a result, each other one an argument.

What a letter answers are the places of its value. Those on the stack are counted from where the model's stack arguments end,
so that a number of bytes that only grows is no state.
"""

from __future__ import annotations

from collections.abc import Hashable

import msgspec

from abiprobe.generators.complete.machine import Letter, Machine, Step
from abiprobe.generators.tours import named
from abiprobe.generators.tours.automaton import Automaton, phase
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.menu import USUAL
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import Type
from abiprobe.oracles.text.place import Passed, Register


class CallLetter(msgspec.Struct, frozen=True):
    """A class of results, named or unnamed arguments: the types that a model treats alike, simplest first; `None` is no result."""

    types: tuple[Type | None, ...]
    unnamed: bool = False

    @property
    def usual(self) -> tuple[Type | None, ...]:
        """The types that need no more features than the simplest: a compiler that has one has all of them."""
        needs = features(self.types[0])
        return tuple(one for one in self.types if features(one) <= needs)


class Calls(msgspec.Struct, frozen=True):
    """The machine of one mode, with its letters."""

    mode: Mode
    machine: Machine
    letters: tuple[CallLetter, ...]

    @property
    def name(self) -> str:
        """The mode in words."""
        return named(self.mode)


def features(c_type: Type | None) -> frozenset[str]:
    """Return the features of C that a type needs."""
    return frozenset() if c_type is None else type_features(c_type)


def calls(driver: Driver, automaton: Automaton) -> Calls:
    """Return an automaton as a machine."""
    results = result_letters(driver, automaton)
    letters = (*results, *(CallLetter(one.types, one.unnamed) for one in automaton.classes))
    steps = [beginning(driver, automaton)]
    for prefix, edges in zip(automaton.shortest, automaton.edges, strict=True):
        here = {}
        for edge in edges:
            one = automaton.classes[edge.label]
            found = argument_places(driver, prefix, one.example, unnamed=one.unnamed)
            here[len(results) + edge.label] = found, edge.target + 1
        steps.append(here)
    common = frozenset(number for number, one in enumerate(letters) if features(one.types[0]) <= USUAL)
    return Calls(
        automaton.mode, Machine(tuple(steps), (-1, *map(phase, automaton.shortest)), common), letters
    )


def result_letters(driver: Driver, automaton: Automaton) -> tuple[CallLetter, ...]:
    """Return the classes of results, in the order of the automaton's starts."""
    answers: dict[object, list[Type]] = {}
    for c_type in driver.menu:
        answer = driver.result(automaton.mode, c_type)
        if answer is not None:
            answers.setdefault(answer, []).append(c_type)
    by_first = {types[0]: tuple(types) for types in answers.values()}
    return tuple(
        CallLetter((None,) if result is None else by_first[result]) for result, _ in automaton.starts
    )


def beginning(driver: Driver, automaton: Automaton) -> dict[Letter, Step]:
    """Return the steps of the first state: the results."""
    found: dict[Letter, Step] = {}
    for number, (result, state) in enumerate(automaton.starts):
        answer = driver.answer(Prefix(automaton.mode, result))
        assert answer is not None, "the automaton starts with it"
        found[number] = None if answer.result is None else places(answer.result, 0), state + 1
    return found


def argument_places(driver: Driver, prefix: Prefix, c_type: Type, *, unnamed: bool) -> Hashable:
    """Return the places of one further argument."""
    before, after = driver.answer(prefix), driver.answer(prefix.then(c_type, unnamed=unnamed))
    assert before is not None, "the automaton came there"
    assert after is not None, "the automaton has this transition"
    return places(after.params[-1], before.stack_bytes)


def places(passed: Passed, end: int) -> Hashable:
    """Return how a value travels, and its registers and stack offsets, these in bytes from the `end` of what was before.

    Offsets below the stack pointer are counted downwards, as such an area grows.
    """
    return passed.passing, tuple(
        one.place.name if isinstance(one.place, Register) else abs(one.place.offset) - end
        for one in passed.pieces
    )

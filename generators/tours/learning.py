"""Learning the automaton of a model: a first guess at its classes and states, and walks that show where the guess is wrong.

Each walk is a call of many arguments, about which the model is asked once. Where it does not answer what the automaton says,
either two types are not of one class, or a word more is needed to tell two states apart; until no walk disagrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from abiprobe.generators.draw import Draw, SeededDraw
from abiprobe.generators.tours.automaton import (
    FIRST_STATES,
    LONGEST,
    MOST_STATES,
    Automaton,
    Class,
    Edge,
    walk,
)
from abiprobe.generators.tours.driving import Driver, Mode, Prefix, way
from abiprobe.generators.tours.guessing import Guess, first_guess
from abiprobe.oracles.language.lang import Type

Walk: TypeAlias = tuple[int, tuple[int, ...]]
"""The number of a start of an automaton, and those of the classes that follow."""
WALKS = 2
"""Walks for each type."""
OTHERS = 2
"""Classes that a walk keeps to, beside its type's own: it exhausts what they need, and leaves the rest as it was."""


@dataclass(frozen=True)
class LearningStep:
    """An argument of a walk: the beginning of the call before it, the transition that it crosses, and its type."""

    before: Prefix
    edge: Edge
    c_type: Type


def no_doubts(_automaton: Automaton) -> Iterable[Walk]:
    """Return no walk."""
    return ()


def derive(
    driver: Driver,
    mode: Mode,
    longest: int = LONGEST,
    doubts: Callable[[Automaton], Iterable[Walk]] = no_doubts,
) -> Automaton:
    """The automaton of one mode, of calls of at most so many arguments; it is also held against the walks of `doubts`."""
    guess = first_guess(driver, mode)
    results = result_classes(driver, mode)
    most = FIRST_STATES
    while True:
        automaton = walk(driver, mode, guess.classes, results, guess.words, most, longest)
        if corrected(guess, automaton):
            continue
        if len(automaton.edges) == most < MOST_STATES:
            most = MOST_STATES
        elif not refuted(guess, automaton, doubts(automaton)):
            return automaton


def refuted(guess: Guess, automaton: Automaton, walks: Iterable[Walk]) -> bool:
    """Correct a guess by given walks where they refute it; the answer is whether one did."""
    before = guess.classes, guess.words
    table = [{edge.label: edge for edge in edges} for edges in automaton.edges]
    for start, labels in walks:
        result, number = automaton.starts[start]
        prefix, steps = Prefix(automaton.mode, result), []
        for label in labels:
            one, edge = automaton.classes[label], table[number][label]
            steps.append(LearningStep(prefix, edge, one.example))
            prefix, number = prefix.then(one.example, unnamed=one.unnamed), edge.target
        if steps:
            confront(guess, automaton, steps, one, one.example)
    return (guess.classes, guess.words) != before


def result_classes(driver: Driver, mode: Mode) -> tuple[Type | None, ...]:
    """A result of each class, nothing first."""
    found: dict[object, Type] = {}
    for c_type in driver.menu:
        answer = driver.result(mode, c_type)
        if answer is not None:
            found.setdefault(answer, c_type)
    return None, *found.values()


def corrected(guess: Guess, automaton: Automaton) -> bool:
    """Walk at random and correct the guess where a walk refutes it; the answer is whether one did."""
    before = guess.classes, guess.words
    draw = SeededDraw(0)
    table = [{edge.label: edge for edge in edges} for edges in automaton.edges]
    for label, one in enumerate(automaton.classes):
        for c_type in one.types:
            for _ in range(WALKS):
                confront(guess, automaton, list(wander(draw, automaton, table, label, c_type)), one, c_type)
    return (guess.classes, guess.words) != before


def wander(
    draw: Draw, automaton: Automaton, table: list[dict[int, Edge]], label: int, c_type: Type
) -> Iterator[LearningStep]:
    """A walk on which one class is always of one type; unnamed arguments begin anywhere."""
    classes = automaton.classes
    few = {label, *(draw.below(len(classes)) for _ in range(OTHERS))}
    begin = draw.below(LONGEST) if automaton.mode.variadic else LONGEST
    result, number = draw.pick(automaton.starts)
    prefix = Prefix(automaton.mode, result)
    for length in range(LONGEST - 1):
        edges = [edge for edge in table[number].values() if classes[edge.label].unnamed is (length > begin)]
        edges = [edge for edge in edges if edge.label in few] or edges
        if not edges:
            return
        edge = draw.pick(edges)
        chosen = c_type if edge.label == label else classes[edge.label].example
        yield LearningStep(prefix, edge, chosen)
        prefix = prefix.then(chosen, unnamed=classes[edge.label].unnamed)
        number = edge.target


def confront(guess: Guess, automaton: Automaton, steps: list[LearningStep], own: Class, c_type: Type) -> None:
    """Correct a guess at the first step of a walk where model and automaton disagree."""
    if not steps:
        return
    driver, last = guess.driver, steps[-1]
    whole = last.before.then(last.c_type, unnamed=automaton.classes[last.edge.label].unnamed)
    answer = driver.answer(whole)
    for index, step in enumerate(steps):
        one = automaton.classes[step.edge.label]
        expected = driver.way(automaton.shortest[step.edge.source], one.example, unnamed=one.unnamed)
        given = (
            driver.way(step.before, step.c_type, unnamed=one.unnamed)
            if answer is None
            else way(answer.params[index])
        )
        if given != expected:
            correct(guess, automaton, steps[: index + 1])
            return
    arrived = automaton.shortest[last.edge.target]
    if guess.state(whole) != guess.state(arrived):
        correct(guess, automaton, steps)
    else:
        asked = [driver.argument(prefix, c_type, unnamed=own.unnamed) for prefix in (whole, arrived)]
        if asked[0] != asked[1]:
            guess.separate(whole, arrived, c_type, unnamed=own.unnamed)


def correct(guess: Guess, automaton: Automaton, steps: list[LearningStep]) -> None:
    """Correct a guess by a walk whose last step, or what follows it, is not as expected."""
    for step in steps:
        one, shortest = automaton.classes[step.edge.label], automaton.shortest[step.edge.source]
        if guess.state(step.before) != guess.state(shortest):
            # A correction just made tells them apart already.
            return
        own = guess.effect(step.before, step.c_type, unnamed=one.unnamed)
        example = guess.effect(step.before, one.example, unnamed=one.unnamed)
        if own != example:
            guess.split(step.before)
            return
        if example != guess.effect(shortest, one.example, unnamed=one.unnamed):
            guess.separate(step.before, shortest, one.example, unnamed=one.unnamed)
            return

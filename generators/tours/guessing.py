"""The hypothesis about a model while its automaton is learnt: classes of types, and words that distinguish states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.tours.automaton import Class, Key, Word, state, word_response
from abiprobe.generators.tours.driving import Driver, Mode, Prefix, Way
from abiprobe.generators.tours.menu import DOUBLE, INT
from abiprobe.oracles.language.lang import Type

FILLINGS = ((0, 0), (0, 9), (9, 0), (9, 9), (7, 7), (1, 1), (8, 0))
"""So many integers, then so many reals.

One of each tells pairs of registers that have to be even from others, and eight integers and nine whether a place on the
stack has to be.
"""
SAMPLES, LONGEST_SAMPLE = 40, 10


@dataclass
class Guess:
    """The classes, and the words that tell states apart; `met` are the beginnings of calls that classes were split by."""

    driver: Driver
    mode: Mode
    classes: tuple[Class, ...]
    words: tuple[Word, ...] = ()
    met: set[Prefix] = field(default_factory=set)

    def state(self, prefix: Prefix) -> Key:
        """The state after the first arguments of a call."""
        return state(self.driver, self.words, prefix)

    def effect(self, prefix: Prefix, c_type: Type, *, unnamed: bool) -> tuple[Way, Key] | None:
        """Return the way of an argument and the key of the state that it leads to."""
        found = self.driver.way(prefix, c_type, unnamed=unnamed)
        if found is None:
            return None
        return found, self.state(prefix.then(c_type, unnamed=unnamed))

    def split(self, prefix: Prefix) -> None:
        """Split each class by how its types travel after the first arguments of a call."""
        if prefix in self.met:
            return
        self.met.add(prefix)
        self.classes = tuple(split for one in self.classes for split in self.parts(prefix, one))

    def parts(self, prefix: Prefix, one: Class) -> Iterable[Class]:
        """The classes into which the first arguments of a call split one class."""
        groups: dict[object, list[Type]] = {}
        for c_type in one.types:
            groups.setdefault(self.effect(prefix, c_type, unnamed=one.unnamed), []).append(c_type)
        return (Class(tuple(types), one.unnamed) for types in groups.values())

    def separate(self, one: Prefix, other: Prefix, c_type: Type, *, unnamed: bool) -> None:
        """Add words until they distinguish two call prefixes that an argument, or what follows it, distinguishes."""
        if self.state(one) != self.state(other):
            return
        tried = [Word().then(c_type, unnamed=unnamed)]
        tried += [word.after(c_type, unnamed=unnamed) for word in self.words]
        if self.words:
            longer = self.words[-1].then(c_type, unnamed=unnamed)
            if word_response(self.driver, longer, one) != word_response(self.driver, longer, other):
                self.words = (*self.words[:-1], longer)
                return
        distinguishing = (
            word
            for word in tried
            if word_response(self.driver, word, one) != word_response(self.driver, word, other)
        )
        self.words = (*self.words, *(word for word, _ in zip(distinguishing, (0,), strict=False)))


def first_guess(driver: Driver, mode: Mode) -> Guess:
    """Find the word that distinguishes most states that some calls lead to, and classes by the answers to a few calls."""
    phases = (False, True) if mode.variadic else (False,)
    guess = Guess(driver, mode, tuple(Class(driver.menu, unnamed) for unnamed in phases))
    filled = fillings(driver, mode)
    letters = [unlike(driver, filled, one) for one in guess.classes]
    states = [*filled, *samples(driver, mode, letters)]
    guess.words = (
        Word(
            *(
                first_word(driver, states, types, unnamed=unnamed)
                for types, unnamed in zip(letters, phases, strict=True)
            )
        ),
    )
    for prefix in filled:
        guess.split(prefix)
    guess.classes = tuple(one for one in guess.classes if is_passed(guess, one))
    return guess


def fillings(driver: Driver, mode: Mode) -> list[Prefix]:
    """Calls with integers, then reals: some have registers left, and some have none."""
    found = []
    for words, reals in FILLINGS:
        types = (INT,) * words + (DOUBLE,) * reals
        found.append(Prefix(mode, None, types))
        if mode.variadic and types:
            found.append(Prefix(mode, None, types[:1], types[1:]))
    return [prefix for prefix in found if driver.answer(prefix) is not None]


def is_passed(guess: Guess, one: Class) -> bool:
    """Return whether the model has an answer for a class of types."""
    return any(guess.driver.way(prefix, one.example, unnamed=one.unnamed) is not None for prefix in guess.met)


def unlike(driver: Driver, filled: list[Prefix], one: Class) -> list[Type]:
    """The types of a class that the model does not answer alike behind the fillings, the simplest of each sort."""
    found: dict[object, Type] = {}
    for c_type in one.types:
        answers = (driver.argument(prefix, c_type, unnamed=one.unnamed) for prefix in filled)
        found.setdefault(tuple(answers), c_type)
    return list(found.values())


def samples(driver: Driver, mode: Mode, letters: list[list[Type]]) -> list[Prefix]:
    """Beginnings of calls at random, of named arguments, and in a variadic call of as many that go on with unnamed ones."""
    draw = SeededDraw(0)
    found: list[Prefix] = []
    for _ in range(SAMPLES):
        prefix = Prefix(mode)
        for unnamed, types in enumerate(letters):
            for _ in range(draw.below(LONGEST_SAMPLE)):
                c_type = draw.pick(types)
                if driver.way(prefix, c_type, unnamed=bool(unnamed)) is not None:
                    prefix = prefix.then(c_type, unnamed=bool(unnamed))
            found.append(prefix)
    return found


def first_word(
    driver: Driver, prefixes: list[Prefix], letters: list[Type], *, unnamed: bool
) -> tuple[Type, ...]:
    """Few of the types, whose answers tell all states apart that the answers of all of them tell apart."""
    states = [prefix for prefix in prefixes if bool(prefix.unnamed) is unnamed]
    columns = [[driver.argument(prefix, c_type, unnamed=unnamed) for prefix in states] for c_type in letters]
    chosen: list[Type] = []
    groups: list[object] = [()] * len(states)
    while True:
        best = max(range(len(letters)), key=lambda one: len(set(zip(groups, columns[one], strict=True))))
        refined: list[object] = list(zip(groups, columns[best], strict=True))
        if len(set(refined)) == len(set(groups)):
            return tuple(chosen)
        chosen.append(letters[best])
        groups = refined

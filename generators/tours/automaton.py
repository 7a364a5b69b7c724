"""The automaton of a model: states told apart by what the model answers next, edges by how it answers.

Two types are of one class when no state met tells them apart; two beginnings of a call are in one state when what follows
gets the same answers. Both are found by asking (`learning`), so the automaton of a model is derived from the model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from abiprobe.generators.tours.driving import Driver, Mode, Prefix, Way, way
from abiprobe.oracles.language.features import type_features
from abiprobe.oracles.language.lang import Type

LONGEST = 16
"""Arguments of the longest signature."""
MOST_STATES = 4000
"""An automaton is cut off here; the states nearest to the start are kept."""
FIRST_STATES = 60
"""A guess is corrected on so many states first."""
WordResponse: TypeAlias = tuple[tuple[Way | None, ...], int]
"""The ways that the classes of a word get one after the other, and by how many bytes they make the stack grow."""
Key: TypeAlias = tuple[int, tuple[WordResponse, ...]]
"""A state: the phase of the call, and the model's responses to the distinguishing words."""


@dataclass(frozen=True)
class Class:
    """An argument class: the types that a model treats alike, simplest first, as named or unnamed arguments."""

    types: tuple[Type, ...]
    unnamed: bool

    @property
    def example(self) -> Type:
        """The simplest of its types."""
        return self.types[0]

    @cached_property
    def usual(self) -> tuple[Type, ...]:
        """The types that need no more features than the simplest: a compiler that has one has all of them."""
        needs = type_features(self.example)
        return tuple(c_type for c_type in self.types if type_features(c_type) <= needs)


@dataclass(frozen=True)
class Word:
    """Arguments that follow each other, named ones first, to tell states apart."""

    named: tuple[Type, ...] = ()
    unnamed: tuple[Type, ...] = ()

    def then(self, c_type: Type, *, unnamed: bool) -> Word:
        """Add an argument."""
        if unnamed:
            return Word(self.named, (*self.unnamed, c_type))
        return Word((*self.named, c_type), self.unnamed)

    def after(self, c_type: Type, *, unnamed: bool) -> Word:
        """Put an argument in front; after an unnamed one no named ones may follow."""
        return Word((), (c_type, *self.unnamed)) if unnamed else Word((c_type, *self.named), self.unnamed)


@dataclass(frozen=True)
class Edge:
    """A transition: the numbers of the state it leaves, of its class, and of the state it enters."""

    source: int
    label: int
    target: int


@dataclass
class Automaton:
    """The calls of a model in one mode.

    `starts` has, for each class of results, a type of it and the state that it leaves to the arguments; `edges` are by
    source. `shortest` is the shortest beginning of a call that leads to each state. States of one of the `views` answer
    whatever argument is next alike, though not all that may follow.
    """

    mode: Mode
    classes: tuple[Class, ...]
    starts: tuple[tuple[Type | None, int], ...] = ()
    edges: list[tuple[Edge, ...]] = field(default_factory=list)
    shortest: list[Prefix] = field(default_factory=list)
    views: list[int] = field(default_factory=list)

    @property
    def all_edges(self) -> Iterator[Edge]:
        """Every edge, by source."""
        return chain.from_iterable(self.edges)

    @property
    def transitions(self) -> dict[Edge, object]:
        """Map each edge to the class of its transition: states from which the model answers it alike share a class."""
        return {edge: (self.views[edge.source], edge.label) for edge in self.all_edges}


def walk(
    driver: Driver,
    mode: Mode,
    classes: tuple[Class, ...],
    results: tuple[Type | None, ...],
    words: tuple[Word, ...],
    most: int = MOST_STATES,
    longest: int = LONGEST,
) -> Automaton:
    """Find every state and transition, breadth first, with calls of at most `longest` arguments.

    States are told apart by what the `words` get; there are at most so many.
    """
    automaton = Automaton(mode, classes)
    numbers: dict[Key, int] = {}
    waiting: deque[Prefix] = deque()

    def enter(prefix: Prefix) -> int | None:
        key = state(driver, words, prefix)
        if key not in numbers:
            if len(numbers) == most:
                return None
            numbers[key] = len(numbers)
            automaton.shortest.append(prefix)
            waiting.append(prefix)
        return numbers[key]

    entered = ((result, enter(Prefix(mode, result))) for result in results)
    automaton.starts = tuple((result, number) for result, number in entered if number is not None)
    while waiting:
        prefix = waiting.popleft()
        source = len(automaton.edges)
        found = [
            (label, enter(prefix.then(one.example, unnamed=one.unnamed)))
            for label, one in enumerate(classes)
            if prefix.length < longest and driver.way(prefix, one.example, unnamed=one.unnamed) is not None
        ]
        edges = (Edge(source, label, target) for label, target in found if target is not None)
        automaton.edges.append(tuple(edges))
    automaton.views = views(driver, automaton)
    return automaton


def views(driver: Driver, automaton: Automaton) -> list[int]:
    """Number the states; those that answer every possible next argument alike get the same number."""
    numbers: dict[object, int] = {}
    found = []
    for prefix, edges in zip(automaton.shortest, automaton.edges, strict=True):
        asked = ((edge.label, automaton.classes[edge.label]) for edge in edges)
        given = tuple(
            (label, driver.argument(prefix, one.example, unnamed=one.unnamed)) for label, one in asked
        )
        found.append(numbers.setdefault((phase(prefix), given), len(numbers)))
    return found


def state(driver: Driver, words: tuple[Word, ...], prefix: Prefix) -> Key:
    """The state after the first arguments of a call."""
    return phase(prefix), tuple(word_response(driver, word, prefix) for word in words)


def phase(prefix: Prefix) -> int:
    """Return the phase after a prefix: only named arguments may follow, either kind, or only unnamed ones."""
    return 2 if prefix.unnamed else int(prefix.mode.variadic and bool(prefix.named))


def word_response(driver: Driver, word: Word, prefix: Prefix) -> WordResponse:
    """Ask how a word travels after the first arguments of a call: its named part, or else its unnamed one."""
    named = () if prefix.unnamed else word.named
    unnamed = word.unnamed if phase(prefix) and not named else ()
    before, after = driver.answer(prefix), driver.answer(prefix.with_more(named, unnamed))
    assert before is not None
    if after is None:
        return word_response_singly(
            driver, [(one, False) for one in named] or [(one, True) for one in unnamed], prefix
        )
    return tuple(map(way, after.params[prefix.length :])), after.stack_bytes - before.stack_bytes


def word_response_singly(
    driver: Driver, letters: Sequence[tuple[Type, bool]], prefix: Prefix
) -> WordResponse:
    """Ask as `word_response` does, without the arguments that the model does not answer."""
    growth = 0
    ways: list[Way | None] = []
    for c_type, unnamed in letters:
        given = driver.argument(prefix, c_type, unnamed=unnamed)
        ways.append(None if given is None else given[0])
        if given is not None:
            growth += given[1]
            prefix = prefix.then(c_type, unnamed=unnamed)
    return tuple(ways), growth

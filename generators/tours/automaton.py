"""The automaton of a model: states told apart by what the model answers next, edges by how it answers.

Two types are of one class when every state met answers them alike; two beginnings of a call are in one state when every
class of argument that may follow gets the same answer. Both are found by asking, so the automaton of a model is derived
from the model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.tours.driving import Driver, Mode, Prefix, Response
from abiprobe.generators.tours.menu import DOUBLE, INT
from abiprobe.oracles.features import type_features
from abiprobe.oracles.lang import Type
from abiprobe.oracles.model import AbiModel

Key: TypeAlias = tuple[Mode, bool, tuple[Response | None, ...]]
"""A state: the mode, whether unnamed arguments have begun, and what each class that may follow gets."""
LONGEST = 16
"""Arguments of the longest signature."""
MOST_STATES = 400
"""An automaton is cut off here; the states nearest to the start are kept."""
WALKS, STEP = 60, 60
LENGTHS = (0, 1, 4, 6, 8, 9)
SAMPLED = 12
"""States, spread over all, in which types are told apart before the automaton is walked again."""


@dataclass(frozen=True)
class Class:
    """An argument class: the types that a model treats alike, simplest first, as named or unnamed arguments."""

    types: tuple[Type, ...]
    unnamed: bool

    @property
    def example(self) -> Type:
        """The simplest of its types."""
        return self.types[0]

    @property
    def usual(self) -> tuple[Type, ...]:
        """Those that need no feature beyond what the simplest needs: a compiler that has one has all."""
        needs = type_features(self.example)
        return tuple(c_type for c_type in self.types if type_features(c_type) <= needs)


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
    source. `shortest` is the shortest beginning of a call that leads to each state.
    """

    mode: Mode
    classes: tuple[Class, ...]
    starts: tuple[tuple[Type | None, int], ...] = ()
    edges: list[tuple[Edge, ...]] = field(default_factory=list)
    shortest: list[Prefix] = field(default_factory=list)

    @property
    def transitions(self) -> frozenset[Edge]:
        """Every transition."""
        return frozenset(edge for edges in self.edges for edge in edges)


def automata(model: AbiModel) -> tuple[Automaton, ...]:
    """The automata of a model, one for each mode that it knows; none for a model without calls."""
    driver = Driver(model)
    if driver.answer(Prefix(Mode())) is None:
        return ()
    return tuple(derive(driver, mode) for mode in driver.modes(INT))


def derive(driver: Driver, mode: Mode) -> Automaton:
    """The automaton of one mode: classes are split until no state met tells two types of a class apart."""
    results = result_classes(driver, mode)
    single = tuple(Class((c_type,), unnamed) for c_type in driver.menu for unnamed in phases(mode))
    met = [
        *(Prefix(mode, result) for result in results),
        *runs(driver, mode),
        *wandering(driver, mode, single)[::STEP],
    ]
    while True:
        found, period = classes(driver, mode, met)
        automaton = walk(
            driver, Automaton(mode, found), results, telling(driver, found, wandering(driver, mode, found))
        )
        fresh = [prefix for prefix in spread(automaton.shortest) if prefix not in met]
        if not splits(driver, found, fresh, period):
            return automaton
        met += fresh


def phases(mode: Mode) -> tuple[bool, ...]:
    """Whether arguments are unnamed: no, and in a variadic call yes, too."""
    return (False, True) if mode.variadic else (False,)


def spread(prefixes: list[Prefix]) -> list[Prefix]:
    """At most `SAMPLED` of the prefixes, from first to last."""
    step = max(1, len(prefixes) // SAMPLED)
    return prefixes[::step]


def runs(driver: Driver, mode: Mode) -> list[Prefix]:
    """Calls with so many integers, then so many reals: about where the registers of most machines run out."""
    found = (Prefix(mode, None, (INT,) * words + (DOUBLE,) * reals) for words in LENGTHS for reals in LENGTHS)
    return [prefix for prefix in found if driver.answer(prefix) is not None]


def wandering(driver: Driver, mode: Mode, found: tuple[Class, ...]) -> list[Prefix]:
    """Beginnings of calls of many lengths, at random, as samples of the states there are."""
    draw = SeededDraw(0)
    samples: list[Prefix] = []
    for _ in range(WALKS):
        prefix = Prefix(mode)
        # A walk that keeps to few classes exhausts what they need, and leaves the rest as it was.
        few = [draw.pick(found) for _ in range(3)]
        for _ in range(LONGEST - 1):
            one = draw.pick(few)
            if driver.argument(prefix, one.example, unnamed=one.unnamed) is not None:
                prefix = prefix.then(one.example, unnamed=one.unnamed)
                samples.append(prefix)
    return samples


def splits(driver: Driver, found: Iterable[Class], fresh: Iterable[Prefix], period: int) -> bool:
    """Whether a fresh state tells two types of a class apart, or shows that the stack is aligned to more."""
    states = list(fresh)
    answers = [
        [driver.argument(prefix, c_type, unnamed=one.unnamed) for prefix in states]
        for one in found
        for c_type in one.types
    ]
    if alignment(answers) > period:
        return True
    return any(
        folded(driver.argument(prefix, c_type, unnamed=one.unnamed), period)
        != folded(driver.argument(prefix, one.example, unnamed=one.unnamed), period)
        for one in found
        for c_type in one.types[1:]
        for prefix in states
    )


def classes(driver: Driver, mode: Mode, met: Iterable[Prefix]) -> tuple[tuple[Class, ...], int]:
    """The menu by what the states `met` answer, and the period of the stack in bytes; what none passes is left out."""
    states = list(met)
    asked = [(c_type, unnamed) for unnamed in phases(mode) for c_type in driver.menu]
    answers = [
        [driver.argument(prefix, c_type, unnamed=unnamed) for prefix in states] for c_type, unnamed in asked
    ]
    period = alignment(answers)
    groups: dict[tuple[bool, tuple[Response | None, ...]], list[Type]] = {}
    for (c_type, unnamed), given in zip(asked, answers, strict=True):
        if any(answer is not None for answer in given):
            groups.setdefault((unnamed, tuple(folded(one, period) for one in given)), []).append(c_type)
    return tuple(Class(tuple(types), unnamed) for (unnamed, _), types in groups.items()), period


def alignment(answers: Iterable[Iterable[Response | None]]) -> int:
    """The period in bytes after which the stack is as it was: the same value in the same places leaves no larger gap."""
    gap = 0
    for given in answers:
        growths: dict[tuple[str, tuple[str, ...]], set[int]] = {}
        for answer in given:
            if answer is not None:
                growths.setdefault(answer[:2], set()).add(answer[2])
        gap = max([gap, *(max(each) - min(each) for each in growths.values())])
    return 1 << gap.bit_length()


def folded(answer: Response | None, period: int) -> Response | None:
    """An answer as far as it matters to the arguments that follow: the stack grows by so much, but for whole periods."""
    return None if answer is None else (*answer[:2], answer[2] % period)


def telling(driver: Driver, found: tuple[Class, ...], states: list[Prefix]) -> tuple[Class, ...]:
    """Few of the classes, whose answers tell all `states` apart that the answers of all classes tell apart."""
    columns = {
        one: [driver.argument(prefix, one.example, unnamed=one.unnamed) for prefix in states] for one in found
    }
    chosen: list[Class] = []
    groups: list[object] = [()] * len(states)
    while True:
        best = max(found, key=lambda one: len(set(zip(groups, columns[one], strict=True))))
        refined: list[object] = list(zip(groups, columns[best], strict=True))
        if len(set(refined)) == len(set(groups)):
            return tuple(chosen)
        chosen.append(best)
        groups = refined


def result_classes(driver: Driver, mode: Mode) -> tuple[Type | None, ...]:
    """A result of each class, nothing first."""
    found: dict[Response, Type] = {}
    for c_type in driver.menu:
        answer = driver.result(mode, c_type)
        if answer is not None:
            found.setdefault(answer, c_type)
    return None, *found.values()


def walk(
    driver: Driver, automaton: Automaton, results: tuple[Type | None, ...], told: tuple[Class, ...]
) -> Automaton:
    """Find every state and transition, breadth first, with calls of at most `LONGEST` arguments.

    States are told apart by what the classes `told` get.
    """
    numbers: dict[Key, int] = {}
    waiting: deque[Prefix] = deque()

    def enter(prefix: Prefix) -> int | None:
        key = state(driver, told, prefix)
        if key not in numbers:
            if len(numbers) == MOST_STATES:
                return None
            numbers[key] = len(numbers)
            automaton.shortest.append(prefix)
            waiting.append(prefix)
        return numbers[key]

    entered = ((result, enter(Prefix(automaton.mode, result))) for result in results)
    automaton.starts = tuple((result, number) for result, number in entered if number is not None)
    while waiting:
        prefix = waiting.popleft()
        source = len(automaton.edges)
        found = [
            (label, enter(prefix.then(one.example, unnamed=one.unnamed)))
            for label, one in enumerate(automaton.classes)
            if prefix.length < LONGEST
            and driver.argument(prefix, one.example, unnamed=one.unnamed) is not None
        ]
        edges = (Edge(source, label, target) for label, target in found if target is not None)
        automaton.edges.append(tuple(edges))
    return automaton


def state(driver: Driver, told: tuple[Class, ...], prefix: Prefix) -> Key:
    """The state that a beginning of a call leads to."""
    answers = tuple(driver.argument(prefix, one.example, unnamed=one.unnamed) for one in told)
    return prefix.mode, bool(prefix.unnamed), answers

"""Few signatures that cross every transition: a beam search for the signature that crosses most of what is left."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from abiprobe.generators.tours.automaton import LONGEST, Automaton, Edge

WIDTH = 16
"""Beginnings of a signature that are kept at each length."""


@dataclass(frozen=True)
class Path:
    """The number of a start, the transitions from there, and the numbers of all that is crossed.

    Of the start, then of what was required.
    """

    start: int
    edges: tuple[Edge, ...]
    crossed: tuple[int, ...]


@dataclass(frozen=True)
class Stage:
    """The numbers of the classes and of the starts that signatures may have."""

    classes: frozenset[int]
    starts: frozenset[int]


class Way(NamedTuple):
    """An edge as the search sees it: where it leads, and the number of what it crosses, if that is to be crossed (else -1)."""

    edge: Edge
    target: int
    crossing: int


class Beginning(NamedTuple):
    """A signature so far: how many it is the first to cross, and which."""

    start: int
    path: tuple[Edge, ...]
    state: int
    gain: int
    crossed: tuple[int, ...]


class Search:
    """A search for signatures that cross most of the transitions of an automaton that are left."""

    def __init__(self, automaton: Automaton, required: Mapping[Edge, object]) -> None:
        numbers: dict[object, int] = {}
        self._crossings = {
            edge: numbers.setdefault(crossing, len(numbers)) for edge, crossing in required.items()
        }
        self._starts = tuple(state for _, state in automaton.starts)
        self._ways = [
            tuple(Way(edge, edge.target, self._crossings.get(edge, -1)) for edge in edges)
            for edges in automaton.edges
        ]
        self._fresh_starts = set(range(len(self._starts)))
        # One more than there are: what is not to be crossed has the last place, which is never left.
        self._left = bytearray(b"\x01" * len(numbers) + b"\x00")

    def paths(self, stage: Stage) -> Iterator[Path]:
        """Yield signatures of one stage until they cross nothing new."""
        ways = [tuple(way for way in each if way.edge.label in stage.classes) for each in self._ways]
        sources = backwards(ways)
        while (best := self._best(stage, ways, self._distances(ways, sources))).gain:
            for crossing in best.crossed:
                self._left[crossing] = 0
            self._fresh_starts.discard(best.start)
            yield Path(best.start, best.path, self._crossed(best))

    def _crossed(self, one: Beginning) -> tuple[int, ...]:
        """Return the transitions that a signature crosses, including those that others have crossed."""
        first = len(self._starts)
        numbers = (self._crossings[edge] + first for edge in one.path if edge in self._crossings)
        return one.start, *sorted(set(numbers))

    def _best(self, stage: Stage, ways: list[tuple[Way, ...]], far: list[int]) -> Beginning:
        """The signature that crosses most of what is left, as far as a beam search sees; it ends with what is new."""
        beam = [
            Beginning(start, (), state, int(start in self._fresh_starts), ())
            for start, state in enumerate(self._starts)
            if start in stage.starts
        ]
        best = max(beam, key=lambda one: one.gain)
        for _ in range(LONGEST):
            beam = self._grown(beam, ways, far)
            if not beam:
                break
            best = max(best, beam[0], key=lambda one: one.gain)
        return best

    def _grown(self, beam: list[Beginning], ways: list[tuple[Way, ...]], far: list[int]) -> list[Beginning]:
        """The beginnings, longer by an argument, that cross most: one for each state and gain."""
        left = self._left
        # Of two that are in one state, the one that has crossed more is the better.
        kept: dict[tuple[int, int], tuple[Beginning, Way]] = {}
        for one in beam:
            for way in ways[one.state]:
                new = left[way.crossing] and way.crossing not in one.crossed
                kept.setdefault((way.target, one.gain + new), (one, way))
        chosen = sorted(kept, key=lambda key: (-key[1], far[key[0]]))[:WIDTH]
        return [longer(*kept[key], key[1]) for key in chosen]

    def _distances(self, ways: list[tuple[Way, ...]], sources: list[set[int]]) -> list[int]:
        """Return the number of transitions from each state to the nearest one with transitions left to cross."""
        left, far = self._left, [LONGEST + 1] * len(ways)
        waiting = deque(state for state, each in enumerate(ways) if any(left[way.crossing] for way in each))
        for state in waiting:
            far[state] = 0
        while waiting:
            state = waiting.popleft()
            for source in sources[state]:
                if far[source] > far[state] + 1:
                    far[source] = far[state] + 1
                    waiting.append(source)
        return far


def cover(automaton: Automaton, required: Mapping[Edge, object], stages: Sequence[Stage]) -> list[Path]:
    """Signatures that use every start and cross every required transition that can be reached.

    As long as they can they keep to the first of the `stages`, then to the next, and so on.
    """
    search = Search(automaton, required)
    return [path for stage in stages for path in search.paths(stage)]


def longer(one: Beginning, way: Way, gain: int) -> Beginning:
    """Add an argument to a beginning."""
    crossed = one.crossed if gain == one.gain else (*one.crossed, way.crossing)
    return Beginning(one.start, (*one.path, way.edge), way.target, gain, crossed)


def backwards(ways: list[tuple[Way, ...]]) -> list[set[int]]:
    """The states from which each state is entered."""
    sources: list[set[int]] = [set() for _ in ways]
    for state, each in enumerate(ways):
        for way in each:
            sources[way.target].add(state)
    return sources

"""Few signatures that cross every transition: a beam search for the signature that crosses most of what is left."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from abiprobe.generators.tours.automaton import LONGEST, Automaton, Edge

WIDTH = 16
"""Beginnings of a signature that are kept at each length."""


@dataclass(frozen=True)
class Path:
    """The number of a start, the transitions from there, and how many of them no path before has crossed."""

    start: int
    edges: tuple[Edge, ...]
    gain: int


@dataclass(frozen=True)
class Beginning:
    """A signature so far; `gain` has a bit for each start and transition that it is the first to cross."""

    start: int
    path: tuple[Edge, ...]
    state: int
    gain: int


def cover(automaton: Automaton, required: Iterable[Edge], usual: frozenset[int]) -> list[Path]:
    """Signatures that use every start and cross every required transition that can be reached.

    As long as they can they keep to the classes numbered `usual`.
    """
    wanted = sorted(required, key=lambda edge: (edge.source, edge.label))
    bits = {edge: 1 << number for number, edge in enumerate(wanted)}
    first = len(wanted)
    left = (1 << first + len(automaton.starts)) - 1
    found: list[Path] = []
    everything = frozenset(range(len(automaton.classes)))
    for allowed in (usual, everything):
        while (best := search(automaton, bits, first, left, allowed)).gain:
            left &= ~best.gain
            found.append(Path(best.start, trimmed(best, bits), best.gain.bit_count()))
    return found


def search(
    automaton: Automaton, bits: dict[Edge, int], first: int, left: int, allowed: frozenset[int]
) -> Beginning:
    """The signature of `allowed` classes that crosses most of what is `left`, as far as a beam search sees."""
    table = [tuple(edge for edge in edges if edge.label in allowed) for edges in automaton.edges]
    far = distances(table, bits, left)
    beam = [
        Beginning(number, (), state, (1 << first + number) & left)
        for number, (_, state) in enumerate(automaton.starts)
    ]
    best = max(beam, key=lambda one: one.gain.bit_count())
    for _ in range(LONGEST):
        grown = [
            Beginning(one.start, (*one.path, edge), edge.target, one.gain | (bits.get(edge, 0) & left))
            for one in beam
            for edge in table[one.state]
        ]
        # Of two that are in one state, the one that has crossed more is the better.
        kept: dict[tuple[int, int], Beginning] = {}
        for one in sorted(grown, key=lambda one: (-one.gain.bit_count(), far[one.state])):
            kept.setdefault((one.state, one.gain.bit_count()), one)
        beam = list(kept.values())[:WIDTH]
        if not beam:
            break
        best = max(best, beam[0], key=lambda one: one.gain.bit_count())
    return best


def distances(table: list[tuple[Edge, ...]], bits: dict[Edge, int], left: int) -> list[int]:
    """How many transitions lead from each state to one where something is left to cross."""
    sources: list[list[int]] = [[] for _ in table]
    for edges in table:
        for edge in edges:
            sources[edge.target].append(edge.source)
    far = [LONGEST + 1] * len(table)
    waiting: deque[int] = deque()
    for number, edges in enumerate(table):
        if any(bits.get(edge, 0) & left for edge in edges):
            far[number] = 0
            waiting.append(number)
    while waiting:
        number = waiting.popleft()
        for source in sources[number]:
            if far[source] > far[number] + 1:
                far[source] = far[number] + 1
                waiting.append(source)
    return far


def trimmed(one: Beginning, bits: dict[Edge, int]) -> tuple[Edge, ...]:
    """Its transitions up to the last that is new."""
    path = list(one.path)
    while path and not bits.get(path[-1], 0) & one.gain:
        path.pop()
    return tuple(path)

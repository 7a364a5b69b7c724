"""The state cover of a machine: for each state the word that leads there."""

from __future__ import annotations

import heapq

from abiprobe.generators.complete.machine import Machine, Word


def state_cover(machine: Machine) -> tuple[Word, ...]:
    """Return a word for each state, by state: with as few rare letters as possible, then the shortest.

    Every beginning of one of the words is one of them, too.
    """
    found: dict[int, Word] = {}
    waiting: list[tuple[int, int, Word, int]] = [(0, 0, (), 0)]
    while waiting:
        rare, _, word, state = heapq.heappop(waiting)
        if state in found:
            continue
        found[state] = word
        for letter, (_, target) in machine.steps[state].items():
            if target not in found:
                longer = (*word, letter)
                heapq.heappush(waiting, (rare + (letter not in machine.common), len(longer), longer, target))
    return tuple(found[state] for state in range(len(machine.steps)))

"""The test suite of a machine: words that show any other machine with a bounded number of states that is not equivalent.

A black box that answers every word of the suite as the machine does, and has at most `extra` more states than the machine,
answers every word as the machine does (Vasilevskii 1973, Chow 1978; with harmonised identifiers Luo, Petrenko and von Bochmann
1994). Each word is one of the state cover, `extra` + 1 further letters, and one of the identifier of the state reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abiprobe.generators.complete.covering import state_cover
from abiprobe.generators.complete.identifiers import characterization_set, identifiers
from abiprobe.generators.complete.machine import Machine, Word


def suite(machine: Machine, extra: int) -> tuple[Word, ...]:
    """Return the suite for so many extra states, sorted; a word that another one begins with is left out.

    Raises `InseparableError` where the machine is not minimal.
    """
    return suite_by(machine, extra, characterization_set(machine))


def suite_by(machine: Machine, extra: int, telling: Sequence[Word]) -> tuple[Word, ...]:
    """Return the suite of a machine whose characterization set is known."""
    return longest(every_word(machine, extra, state_cover(machine), identifiers(machine, telling)))


def every_word(
    machine: Machine, extra: int, cover: Sequence[Word], identify: Sequence[Sequence[Word]]
) -> Iterator[Word]:
    """Yield every word of the method for a state cover that is closed under beginnings, and harmonised identifiers.

    Shorter words in the middle are needed at the start only: elsewhere they are the longer ones behind a shorter word of the cover.
    """
    for state, word in enumerate(cover):
        for middle, reached in middles(machine, state, extra + 1, shorter=state == 0):
            for ending in identify[reached] or ((),):
                yield (*word, *middle, *ending)


def size(machine: Machine, extra: int, identify: Sequence[Sequence[Word]]) -> int:
    """Return the number of words of the method, but for those at the start that are shorter, without making them."""
    counts = [len(one) or 1 for one in identify]
    for _ in range(extra + 1):
        counts = [sum(counts[target] for _, target in steps.values()) for steps in machine.steps]
    return sum(counts)


def middles(machine: Machine, state: int, length: int, *, shorter: bool) -> Iterator[tuple[Word, int]]:
    """Yield the words of this length that are allowed in a state, or of at most this length, and the state that each leads to."""
    found: list[tuple[Word, int]] = [((), state)]
    for left in range(length, 0, -1):
        if shorter:
            yield from found
        longer = []
        for word, reached in found:
            steps = machine.steps[reached]
            if not steps:
                yield word, reached
            longer += [((*word, letter), target) for letter, (_, target) in steps.items()]
        found = longer
        if left == 1:
            yield from found


def longest(words: Iterable[Word]) -> tuple[Word, ...]:
    """Return the words without those that others begin with, sorted."""
    found: list[Word] = []
    for word in sorted(set(words)):
        if found and word[: len(found[-1])] == found[-1]:
            found.pop()
        found.append(word)
    return tuple(found)

"""The order of the small scope: what brings most together that has not met comes first.

A fault needs few things to meet: a clause and a trait, a type and a state of the registers. So a question has traits, which are
all that its answer rests on and what is unusual about it, and forms, which are its very types. The first questions are a
covering array: each is the one with most pairs that no earlier one has, of two traits or of a trait and a form. What is asked
about as a `whole`, where it is, counts like some more pairs. When all have met, the others follow in rounds, one for each set of traits.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement, product, zip_longest
from typing import TypeAlias, TypeVar

import msgspec

from abiprobe.oracles.language.question import CQuestion


class Combination(msgspec.Struct, frozen=True):
    """A combination of traits that meet in a question; no traits if the model has no answer.

    A `whole` is met once, whatever it meets; empty for none.
    """

    traits: frozenset[str]
    forms: frozenset[str] = frozenset()
    whole: str = ""


WHOLE = 4
"""A whole counts like so many pairs."""
Q = TypeVar("Q", bound=CQuestion)
Combine: TypeAlias = Callable[[CQuestion], Combination]
PAIR, MOST = "Q", 1 << 32
"""A pair of numbers below `MOST` is one number of 64 bits: there are millions of pairs."""


def ranked(questions: Iterable[Q], meets: Combine) -> tuple[list[Q], list[Q]]:
    """The covering array of some questions, and the others in rounds; those without an answer come last."""
    met = [(question, meets(question)) for question in questions]
    early = covering([found for _, found in met])
    taken = set(early)
    rest = in_rounds((one, found.traits) for at, (one, found) in enumerate(met) if at not in taken)
    return [met[at][0] for at in early], list(rest)


def covering(met: Sequence[Combination]) -> list[int]:
    """The indices of questions in which every pair occurs that occurs in any, those with most new pairs first."""
    numbers: dict[str, int] = {}
    # Of questions in which the same meets, the first has all pairs.
    first: dict[Combination, int] = {}
    for at, one in enumerate(met):
        first.setdefault(one, at)
    uncovered = {at: pairs(one, numbers) for one, at in first.items() if one.traits}
    # No question gains new pairs, so the best is the one that is still ahead of the next after it is counted anew.
    heap = [(-len(left), at) for at, left in uncovered.items()]
    heapq.heapify(heap)
    covered: set[int] = set()
    chosen: list[int] = []
    while heap:
        at = heap[0][1]
        new = uncovered[at] = array(PAIR, (pair for pair in uncovered[at] if pair not in covered))
        if not new:
            heapq.heappop(heap)
        elif len(heap) > 1 and (-len(new), at) > min(heap[1:3]):
            heapq.heapreplace(heap, (-len(new), at))
        else:
            heapq.heappop(heap)
            covered.update(new)
            chosen.append(at)
    return chosen


def numbered(items: Iterable[str], numbers: dict[str, int]) -> tuple[int, ...]:
    """Items as numbers in ascending order; `numbers` has those given so far."""
    return tuple(sorted(numbers.setdefault(item, len(numbers)) for item in sorted(items)))


def pairs(one: Combination, numbers: dict[str, int]) -> array[int]:
    """Each trait by itself, each two traits, each trait with each form, and a whole with so many that no trait is: each as one number."""
    traits, forms = numbered(one.traits, numbers), numbered(one.forms, numbers)
    whole = numbered([one.whole] if one.whole else [], numbers)
    met = chain(
        combinations_with_replacement(traits, 2), product(traits, forms), product(whole, range(-WHOLE, 0))
    )
    return array(PAIR, (left * MOST + right + WHOLE for left, right in met))


def in_rounds(met: Iterable[tuple[Q, frozenset[str]]]) -> Iterator[Q]:
    """One question for each set of items, the largest sets first, then a second one for each, and so on."""
    groups: dict[frozenset[str], list[Q]] = {}
    for question, found in met:
        groups.setdefault(found, []).append(question)
    silent = groups.pop(frozenset(), [])
    ordered = sorted(groups.items(), key=lambda item: (-len(item[0]), sorted(item[0])))
    rounds = zip_longest(*(spread(group) for _, group in ordered))
    yield from (one for one in chain.from_iterable(rounds) if one is not None)
    yield from silent


def spread(group: Sequence[Q]) -> Iterator[Q]:
    """A group in an order in which neighbours differ: those at large steps first, then what lies between."""
    step = 1 << max(0, len(group) - 1).bit_length()
    given: set[int] = set()
    while step:
        for at in range(0, len(group), step):
            if at not in given:
                given.add(at)
                yield group[at]
        step //= 2

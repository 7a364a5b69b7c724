"""The order of the small scope: what brings most together that has not met comes first.

A fault needs few things to meet: a clause and a trait, a type and a state of the registers. So a question has traits, which are
all that its answer rests on and what is unusual about it, and forms, which are its very types. The first questions are a
covering array: each is the one with most pairs that no earlier one has, of two traits or of a trait and a form. What is asked
about as a `whole`, where it is, counts like some more pairs. When all have met, the others follow in rounds, one for each set of traits.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
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
Numbers: TypeAlias = tuple[tuple[int, ...], int]
"""Some items as numbers in ascending order, and as the bits of these numbers."""


def ranked(questions: Iterable[Q], meets: Combine) -> tuple[list[Q], list[Q]]:
    """The covering array of some questions, and the others in rounds; those without an answer come last."""
    asked = list(questions)
    met = list(met_in(asked, meets))
    early = covering(met)
    taken = set(early)
    rest = in_rounds((asked[at], found.traits) for at, found in enumerate(met) if at not in taken)
    return [asked[at] for at in early], list(rest)


def met_in(questions: Iterable[Q], meets: Combine) -> Iterator[Combination]:
    """Yield what meets in each question; what is equal is one object, as there are tens of thousands."""
    known: dict[Combination, Combination] = {}
    sets: dict[frozenset[str], frozenset[str]] = {}
    for question in questions:
        found = meets(question)
        if found not in known:
            traits, forms = (sets.setdefault(one, one) for one in (found.traits, found.forms))
            known[found] = Combination(traits, forms, found.whole)
        yield known[found]


def covering(met: Sequence[Combination]) -> list[int]:
    """The indices of questions in which every pair occurs that occurs in any, those with most new pairs first."""
    # Of questions in which the same meets, the first has all pairs.
    first: dict[Combination, int] = {}
    for at, one in enumerate(met):
        first.setdefault(one, at)
    told = numbered(first)
    left = Pairs(max((bits.bit_length() for _, bits in told.values()), default=0))
    # No question gains new pairs, so the best is the one that is still ahead of the next after it is counted anew.
    heap = [(-left.number(met[at], told), at) for one, at in first.items() if one.traits]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap:
        at = heap[0][1]
        new = left.number(met[at], told)
        if new and len(heap) > 1 and (-new, at) > min(heap[1:3]):
            heapq.heapreplace(heap, (-new, at))
            continue
        heapq.heappop(heap)
        if new:
            left.take(met[at], told)
            chosen.append(at)
    return chosen


def numbered(met: Iterable[Combination]) -> dict[frozenset[str], Numbers]:
    """The traits and the forms of combinations as numbers."""
    numbers: dict[str, int] = {}
    found: dict[frozenset[str], Numbers] = {}
    for items in chain.from_iterable((one.traits, one.forms) for one in met if one.traits):
        if items not in found:
            own = sorted([numbers.setdefault(item, len(numbers)) for item in sorted(items)])
            found[items] = tuple(own), sum(1 << number for number in own)
    return found


class Pairs:
    """The pairs that have not met, as bits: each trait by itself and with those of higher numbers, and with each form; and the wholes that have met."""

    def __init__(self, count: int) -> None:
        self._above = [-1 << number for number in range(count)]
        self._left = [(1 << count) - 1] * count
        self._wholes: set[str] = set()

    def number(self, one: Combination, told: Mapping[frozenset[str], Numbers]) -> int:
        """Return the number of new pairs of a combination."""
        (traits, bits), (_, forms) = told[one.traits], told[one.forms]
        new = WHOLE if one.whole and one.whole not in self._wholes else 0
        for trait in traits:
            left = self._left[trait]
            new += (left & bits & self._above[trait]).bit_count() + (left & forms).bit_count()
        return new

    def take(self, one: Combination, told: Mapping[frozenset[str], Numbers]) -> None:
        """Note that the pairs of a combination have met."""
        (traits, bits), (_, forms) = told[one.traits], told[one.forms]
        self._wholes.add(one.whole)
        for trait in traits:
            self._left[trait] &= ~(bits & self._above[trait] | forms)


def in_rounds(met: Iterable[tuple[Q, frozenset[str]]]) -> Iterator[Q]:
    """One question for each set of items, the largest sets first, then a second one for each, and so on."""
    groups: dict[frozenset[str], list[Q]] = {}
    for question, found in met:
        groups.setdefault(found, []).append(question)
    silent = groups.pop(frozenset(), [])
    ordered = sorted(groups.items(), key=lambda item: (-len(item[0]), sorted(item[0])))
    left = [spread(group) for _, group in ordered]
    while left:
        going = []
        for group in left:
            for one in islice(group, 1):
                yield one
                going.append(group)
        left = going
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

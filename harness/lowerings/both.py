"""Pairs of lowerings: both of the same prototypes at the same place, kept as long as somebody needs them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.removal import temporary
from abiprobe.harness.lowerings.comparing import Difference, differences
from abiprobe.harness.lowerings.compilers import compiler_at
from abiprobe.harness.lowerings.ir_text import UnreadableError
from abiprobe.harness.lowerings.lowering import Answers, Lowered
from abiprobe.harness.lowerings.place import Pair, Place
from abiprobe.harness.lowerings.unit import texts_of
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.lang import Prototype

Both = tuple[Lowered, Lowered] | None
"""Two lowerings of a prototype; `None` for one that either does not take."""


class Memory(msgspec.Struct):
    """A pair of lowerings, what they made of prototypes that were asked before, and how these differ."""

    pair: Pair
    known: dict[tuple[Place, Prototype], Both] = msgspec.field(default_factory=dict)
    ways: dict[tuple[Place, Prototype], tuple[Difference, ...]] = msgspec.field(default_factory=dict)

    def lowered(self, place: Place, functions: Sequence[Prototype]) -> list[Both]:
        """Both lowerings of prototypes."""
        new = [one for one in dict.fromkeys(functions) if (place, one) not in self.known]
        if new:
            left, right = answers_of(self.pair, place, new)
            for number, function in enumerate(new):
                both = taken(left[number], right[number])
                self.known[place, function] = both
                self.ways[place, function] = () if both is None else ways(*both)
        return [self.known[place, one] for one in functions]

    def differing(
        self, difference: Difference, place: Place, functions: Sequence[Prototype]
    ) -> list[Prototype]:
        """Those of some prototypes that differ in one way at a place."""
        self.lowered(place, functions)
        return [function for function in functions if difference in self.ways[place, function]]


def taken(left: Lowered | Failed, right: Lowered | Failed) -> Both:
    """Two lowerings, if both took the prototype."""
    return None if isinstance(left, Failed) or isinstance(right, Failed) else (left, right)


def ways(left: Lowered, right: Lowered) -> tuple[Difference, ...]:
    """Return the differences between two lowerings of a prototype, as far as their IR can be read."""
    try:
        return differences(left, right)
    except UnreadableError:
        return ()


def answers_of(
    pair: Pair, place: Place, functions: Sequence[Prototype]
) -> tuple[dict[int, Lowered | Failed], dict[int, Lowered | Failed]]:
    """Return the answers of each of two lowerings about prototypes."""
    texts = texts_of(functions)
    first = answers_by(pair[0], place, functions, texts)
    refused = frozenset(number for number, one in first.found.items() if isinstance(one, Failed))
    return first.found, answers_by(pair[1], place, functions, texts, refused).found


def answers_by(
    subject: Subject,
    place: Place,
    functions: Sequence[Prototype],
    texts: Sequence[str],
    unlikely: Container[int] = (),
) -> Answers:
    """Return the answers of a lowering about prototypes."""
    with temporary() as folder:
        compiler = compiler_at(place, subject, Path(folder))
        assert compiler is not None, "what differs has been compiled"
        return compiler.lower(functions, texts, unlikely)

"""The quirks of a dialect that have a say in a question, found by group testing: most questions meet one quirk of forty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from abiprobe.oracles.language.question import CXX_QUESTIONS, Probe
from abiprobe.oracles.quirks.quirk import Quirk

Quirks = tuple[Quirk, ...]
LAST = 12
"""So many of the sets of quirks that were met last are tried by themselves, which dialects of other levels and versions share."""
Prediction = Callable[[Quirks, Probe], bytes]
"""The prediction of the text under some quirks for a question, as a digest."""


class NeededQuirks:
    """The quirks without which a dialect predicts otherwise; the sets that were `found` before, the last one last, are tried first."""

    def __init__(self, prediction: Prediction, found: dict[Quirks, None] | None = None) -> None:
        self._prediction = prediction
        self._found: dict[Quirks, None] = {} if found is None else found
        self._needed: dict[tuple[Quirks, str], list[Quirk]] = {}
        self._predicted: dict[str, dict[Quirks, bytes]] = {}

    def of(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        """The quirks without which a question is predicted otherwise; each that changes the text's, if one of several will do.

        None where the dialect says what the text says.
        """
        if (dialect, asked.id) not in self._needed:
            self._needed[dialect, asked.id] = self._of(dialect, asked)
        return self._needed[dialect, asked.id]

    def predicted(self, quirks: Quirks, asked: Probe) -> bytes:
        """The prediction of the text under some quirks, which dialects of other levels and versions may share."""
        # To hash many quirks takes longer than to find a prediction.
        known = self._predicted.setdefault(asked.id, {})
        found = known.get(quirks)
        if found is None:
            found = known[quirks] = self._prediction(quirks, asked)
        return found

    def _of(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        def predicted(quirks: Quirks) -> bytes:
            return self.predicted(quirks, asked)

        full = predicted(dialect)

        def is_needed(group: Quirks) -> bool:
            names = {one.name for one in group}
            return predicted(tuple(one for one in dialect if one.name not in names)) != full

        def is_enough(group: Quirks) -> bool:
            return predicted(group) != predicted(())

        last = next((group for group in self._last(dialect) if predicted(group) == full), ())
        found = [one for one in last if is_needed((one,))]
        if not found and is_enough(dialect):
            likely = self._likely(dialect, asked)
            enough = likely if predicted(likely) == full else dialect
            found = narrowed(enough, is_needed) or narrowed(dialect, is_enough)
        if found:
            self._found.pop(tuple(found), None)
            self._found[tuple(found)] = None
        return found

    def _last(self, dialect: Quirks) -> Iterator[Quirks]:
        """The sets that were met last of the quirks of a dialect."""
        own = frozenset(dialect)
        return islice((group for group in reversed(self._found) if own.issuperset(group)), LAST)

    def singly(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        """The quirks without which a question is predicted otherwise, those included that take each other back."""
        if found := self.of(dialect, asked):
            return found
        full = self.predicted(dialect, asked)
        without = {one: tuple(other for other in dialect if other is not one) for one in dialect}
        return [one for one, rest in without.items() if self.predicted(rest, asked) != full]

    def _likely(self, dialect: Quirks, asked: Probe) -> Quirks:
        """The quirks of a dialect that others have met, or that are about C++ as the question is."""
        is_cxx, met = isinstance(asked.question, CXX_QUESTIONS), frozenset().union(*self._found)
        return tuple(one for one in dialect if one in met or (is_cxx and one.cxx))


def narrowed(group: Quirks, matters: Callable[[Quirks], bool]) -> list[Quirk]:
    """The members of a group that matter by themselves, found in halves of what matters together."""
    if not group or not matters(group):
        return []
    if len(group) == 1:
        return list(group)
    middle = len(group) // 2
    return [*narrowed(group[:middle], matters), *narrowed(group[middle:], matters)]

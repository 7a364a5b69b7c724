"""The quirks of a dialect that have a say in a question, found by group testing: most questions meet one quirk of forty."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.language.question import CXX_QUESTIONS, Probe
from abiprobe.oracles.quirks.quirk import Quirk

Quirks = tuple[Quirk, ...]
SINGLY = 4
"""So many of the quirks that were met last are tried by themselves, which dialects of other levels and versions share."""
Prediction = Callable[[Quirks, Probe], bytes]
"""What the text under some quirks predicts of a question, as a digest."""


class NeededQuirks:
    """The quirks without which a dialect predicts otherwise; those that were `found` before are tried first."""

    def __init__(self, prediction: Prediction, found: dict[Quirk, None] | None = None) -> None:
        self._prediction = prediction
        self._found: dict[Quirk, None] = {} if found is None else found
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

        full, plain = predicted(dialect), predicted(())
        if full == plain:
            return []

        def is_needed(group: Quirks) -> bool:
            names = {one.name for one in group}
            return predicted(tuple(one for one in dialect if one.name not in names)) != full

        def is_enough(group: Quirks) -> bool:
            return predicted(group) != plain

        likely = self._likely(dialect, asked)
        last = [one for one in reversed(self._found) if one in likely]
        groups = (*((one,) for one in last[:SINGLY]), likely)
        enough = next((group for group in groups if predicted(group) == full), dialect)
        found = narrowed(enough, is_needed) or narrowed(dialect, is_enough)
        for one in found:
            self._found.pop(one, None)
            self._found[one] = None
        return found

    def singly(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        """The quirks without which a question is predicted otherwise, those included that take each other back."""
        if found := self.of(dialect, asked):
            return found
        full = self.predicted(dialect, asked)
        without = {one: tuple(other for other in dialect if other is not one) for one in dialect}
        return [one for one, rest in without.items() if self.predicted(rest, asked) != full]

    def _likely(self, dialect: Quirks, asked: Probe) -> Quirks:
        """The quirks of a dialect that others have met, or that are about C++ as the question is."""
        is_cxx = isinstance(asked.question, CXX_QUESTIONS)
        return tuple(one for one in dialect if one in self._found or (is_cxx and one.cxx))


def narrowed(group: Quirks, matters: Callable[[Quirks], bool]) -> list[Quirk]:
    """The members of a group that matter by themselves, found in halves of what matters together."""
    if not group or not matters(group):
        return []
    if len(group) == 1:
        return list(group)
    middle = len(group) // 2
    return [*narrowed(group[:middle], matters), *narrowed(group[middle:], matters)]

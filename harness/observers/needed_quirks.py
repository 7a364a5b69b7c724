"""The quirks of a dialect that have a say in a question, found by group testing: most questions meet one quirk of forty."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.language.question import CXX_QUESTIONS, Probe
from abiprobe.oracles.quirks.quirk import Quirk

Quirks = tuple[Quirk, ...]
Prediction = Callable[[Quirks, Probe], bytes]
"""What the text under some quirks predicts of a question, as a digest."""


class NeededQuirks:
    """The quirks without which a dialect predicts otherwise; those that were found before are tried first."""

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction
        self._found: dict[Quirk, None] = {}

    def of(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        """The quirks without which a question is predicted otherwise; each that changes the text's, if one of several will do.

        None where the dialect says what the text says.
        """

        def predicted(quirks: Quirks) -> bytes:
            return self._prediction(quirks, asked)

        full, plain = predicted(dialect), predicted(())
        if full == plain:
            return []

        def is_needed(group: Quirks) -> bool:
            return predicted(tuple(one for one in dialect if one not in group)) != full

        def is_enough(group: Quirks) -> bool:
            return predicted(group) != plain

        likely = self._likely(dialect, asked)
        alone = predicted(likely) == full
        found = narrowed(likely, is_needed) if alone else narrowed(dialect, is_needed)
        if not found:
            found = narrowed(dialect, is_enough)
        self._found.update(dict.fromkeys(found))
        return found

    def singly(self, dialect: Quirks, asked: Probe) -> list[Quirk]:
        """The quirks without which a question is predicted otherwise, even those that take each other back."""
        full = self._prediction(dialect, asked)
        without = {one: tuple(other for other in dialect if other is not one) for one in dialect}
        found = [one for one, rest in without.items() if self._prediction(rest, asked) != full]
        return found or self.of(dialect, asked)

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

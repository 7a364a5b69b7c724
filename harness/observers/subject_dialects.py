"""The dialects of a family of subjects: what observers predict by the text, its reading and any of its quirks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from abiprobe.harness.observers.needed_quirks import NeededQuirks, Quirks
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.harness.observers.registry import AnyObserver
from abiprobe.oracles.quirks.in_force import dialect_of
from abiprobe.oracles.quirks.quirk import Quirk


@cache
def met(_target: str, _family: str) -> dict[Quirks, None]:
    """The sets of quirks of a family that questions of a target have met, in any batch of this process, the last one last."""
    return {}


dialect = lru_cache(maxsize=1 << 12)(dialect_of)
"""The dialect that quirks make of a text, which every batch asks for again."""


class SubjectDialects:
    """The observers of a family of subjects for each set of quirks; `observer` is that of the text."""

    def __init__(self, observer: AnyObserver, own: str) -> None:
        self.observer, self.family = observer, own
        self._observers: dict[Quirks, AnyObserver] = {}
        self.needed = NeededQuirks(
            lambda quirks, asked: self.by(quirks).prediction(asked), met(observer.key.target.spelling, own)
        )

    def by(self, quirks: Quirks) -> AnyObserver:
        """The observer by the text with its reading and these quirks."""
        found = self._observers.get(quirks)
        if found is None:
            key = self.observer.key
            target = dialect(key.target, self.family, quirks)
            changed = PredictionKey(target, key.options, key.witnesses)
            found = self._observers[quirks] = type(self.observer)(changed)
        return found

    def without(self, one: Quirk, quirks: Iterable[Quirk]) -> AnyObserver:
        """The observer by a dialect without one of its quirks."""
        return self.by(tuple(other for other in quirks if other is not one))

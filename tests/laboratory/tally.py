"""The score of a family: what was killed of all wrong models that are not proved to be the same model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from laboratory.families import FAMILIES
from laboratory.fate import DETECTED, Fate
from laboratory.reasons import is_proved
from laboratory.scoring import Tried


@dataclass(frozen=True)
class Tally:
    """Some wrong models: all of them, by their fates, and those that were not killed and are proved to be no other model."""

    wrong_models: int
    fates: Counter[Fate]
    equivalent: int

    @property
    def killed(self) -> int:
        """How many were noticed in any way."""
        return sum(self.fates[fate] for fate in DETECTED)

    @property
    def counted(self) -> int:
        """How many count: what is not proved to be equivalent counts against us until it is killed."""
        return self.wrong_models - self.equivalent

    @property
    def score(self) -> str:
        """Killed of those that count."""
        return share(self.killed, self.counted)


def share(part: int, whole: int) -> str:
    """A part in percent, rounded down, so that only all of it is 100 %; nothing of nothing."""
    return f"{part * 1000 // whole / 10:.1f}%" if whole else ""


def tally(family: str, tried: Sequence[Tried]) -> Tally:
    """Count some wrong models of a family."""
    fates = Counter(one.outcome.fate for one in tried)
    return Tally(len(tried), fates, sum(is_equivalent(family, one) for one in tried))


def is_equivalent(family: str, tried: Tried) -> bool:
    """Return whether a wrong model that nothing killed is proved to be no other one; a byte elsewhere refutes any proof."""
    return is_left(tried) and not tried.outcome.moves and is_proved(family, tried.mutant.name)


def is_refuted(family: str, tried: Tried) -> bool:
    """Return whether a proof is wrong: what it calls the same model was killed, or puts a byte elsewhere."""
    return is_proved(family, tried.mutant.name) and not is_equivalent(family, tried)


def is_left(tried: Tried) -> bool:
    """Return whether nothing killed a wrong model."""
    return tried.outcome.fate not in DETECTED


def is_placing(family: str, tried: Tried) -> bool:
    """Return whether a mutant is one of a policy that places arguments."""
    chosen = FAMILIES[family]
    return tried.mutant.module in map(chosen.module, chosen.placing)


def is_displacing(tried: Tried) -> bool:
    """Return whether a wrong model may put a byte elsewhere, as far as is known.

    One that differs on some probe, and only in what stands above a value, in what is kept or in what is cited, does not.
    """
    same_places = tried.outcome.fate in {Fate.ALIKE, Fate.SURVIVED} and not tried.outcome.moves
    return not same_places

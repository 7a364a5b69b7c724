"""What can become of a wrong model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Fate(Enum):
    """What became of a wrong model."""

    KILLED = "killed"
    """a probe deviates from it"""
    BROKEN = "broken"
    """it fails on a probe: it cannot be imported, or raises what no model raises"""
    WITHDRAWN = "withdrawn"
    """it has no answer where the model has one: a run counts the probe as unspecified, and `diff` tells that it was compared"""
    MISCITED = "miscites"
    """it asks the same of every byte of a golden vector, and cites another clause than its text"""
    ALIKE = "asks the same"
    """it asks the same of every byte: it cites other clauses where no golden vector tells, or says what no byte can show"""
    SAME = "no difference"
    """it says the same of every probe"""
    SURVIVED = "survived"
    """it says something else of a probe, and no probe deviates"""


RANK = (Fate.SAME, Fate.ALIKE, Fate.SURVIVED, Fate.MISCITED, Fate.WITHDRAWN, Fate.KILLED, Fate.BROKEN)
DETECTED = frozenset({Fate.KILLED, Fate.BROKEN, Fate.WITHDRAWN, Fate.MISCITED})


@dataclass(frozen=True)
class Outcome:
    """The fate of a mutant: who killed it and on which probe, and on how many probes it says something else.

    One that `moves` anything puts a byte elsewhere, and does not only say otherwise what stands above it or what is kept.
    """

    fate: Fate
    by: str = ""
    differing: int = 0
    moves: bool = False


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The fate of highest rank among some; nothing more is asked once a mutant is killed."""
    seen = Outcome(Fate.SAME)
    for outcome in outcomes:
        if outcome.fate in {Fate.KILLED, Fate.BROKEN}:
            return outcome
        best = max(seen, outcome, key=lambda one: RANK.index(one.fate))
        moves = seen.moves or outcome.moves
        seen = Outcome(best.fate, best.by, seen.differing + outcome.differing, moves)
    return seen

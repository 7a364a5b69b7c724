"""Verdicts on the names of entities from the symbols of an object file."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from abiprobe.harness.observers.names.observing import NameObservation
from abiprobe.harness.observers.names.plan import NamePlan
from abiprobe.oracles.abis.itanium.names import MangledName
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.locations import Named
from abiprobe.results.verdicts.readings import left_open
from abiprobe.results.verdicts.record import (
    Difference,
    Outcome,
    Verdict,
    from_differences,
    unobserved,
)
from abiprobe.results.verdicts.values import Words

SYMBOLS = Named("the symbols")
SORTS = re.compile(r"_Z(?:T[VTIS]|T[hvc]|G[VR]|Z|(?=.))|")
"""How a symbol begins: by the kind of special entity, by a function around it, otherwise, or not mangled."""


def nearest(name: str, shows: NameObservation) -> str:
    """The symbol of the same sort as a name that is most like it, empty if there is none."""
    like = [one for one in shows if sort_of(one) == sort_of(name)]
    return max(like, key=lambda one: SequenceMatcher(None, name, one, autojunk=False).ratio(), default="")


def sort_of(symbol: str) -> str:
    """The beginning of a symbol that tells what it is of."""
    found = SORTS.match(symbol)
    return found[0] if found else ""


def judge_name(plan: NamePlan, shows: NameObservation) -> Verdict:
    """The verdict on the symbols that a compiler writes for an entity."""
    name = plan.name
    if isinstance(name, MangledName):
        return judge_decided(plan.probe, name, shows)
    followed = [family for family, told in plan.readings.items() if told in shows]
    return left_open(plan.probe, ProbeKind.NAME, name, followed, compared=bool(plan.readings))


def judge_decided(probe: str, name: MangledName, shows: NameObservation) -> Verdict:
    """The verdict where the text gives a name."""
    if name.text in shows:
        return from_differences(probe, ProbeKind.NAME, ())
    seen = nearest(name.text, shows)
    if not seen:
        return unobserved(
            probe, ProbeKind.NAME, Outcome.UNDECODED, "the object file has no symbol of its sort"
        )
    difference = Difference("object", "name", SYMBOLS, Words(name.text), Words(seen), name.clause_of(seen))
    return from_differences(probe, ProbeKind.NAME, (difference,))

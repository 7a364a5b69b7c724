"""Reasons of gcc for making no variants of a pragma, in its own words: warnings, each at a line of the unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abiprobe.harness.observers.lanes.plan import VectorPlan

WARNING = re.compile(
    r":(\d+):\d+: warning: (unsupported (?:return|argument) type|unsupported simdlen \d+"
    r"|ignoring (?:zero|large) linear step)\b"
)


def reasons(plans: Sequence[VectorPlan], unit: str, said: str) -> list[frozenset[str]]:
    """The reasons that a compiler gave for each function of `unit`, in `said`.

    A warning stands at a function, or at one of its pragmas: then its function is the next one in the unit.
    """
    own = {plan.function.name for plan in plans}
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, own))})\w*(?=\()")
    heads = [(unit.count("\n", 0, one.start()) + 1, one[0]) for one in named.finditer(unit)]
    found: dict[str, set[str]] = {}
    for line, why in WARNING.findall(said):
        name = next((name for at, name in heads if at >= int(line)), "")
        found.setdefault(name, set()).add(why)
    return [frozenset(found.get(plan.function.name, ())) for plan in plans]

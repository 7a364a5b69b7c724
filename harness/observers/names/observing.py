"""Observations of names: the symbols of an object file that belong to an entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.readers.elf import symbols
from abiprobe.harness.machines.render.d.names import unit as in_d
from abiprobe.harness.machines.render.name_units import unit, unmarked
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected, compiled
from abiprobe.harness.observers.names.plan import NamePlan
from abiprobe.results.verdicts.record import Outcome

RTTI = "-frtti"
"""Type information has names, too."""
STANDARD, STANDARDS = "-std=gnu++17", "-std="
"""The standard that questions need at least, where a subject has none of its own."""
NameObservation = tuple[str, ...]
"""The symbols of an entity and of what its program needs, sorted."""


def observe_names(
    attempt: Attempt, plans: Sequence[NamePlan]
) -> Iterator[tuple[NamePlan, NameObservation | Failed]]:
    """Yield the symbols of each entity."""
    return bisected(attempt, plans, _together)


def _together(
    attempt: Attempt, plans: Sequence[NamePlan], _text: str | None
) -> list[NameObservation | Failed] | Failed:
    write, options = (
        (in_d, ()) if attempt.built.language else (unit, (RTTI, *standard(attempt.built.command)))
    )
    found = compiled(attempt, write([plan.asked for plan in plans]), len(plans), *options)
    if isinstance(found, Failed):
        return found
    with stage("read"):
        try:
            names = symbols(found.read_bytes())
        except ValueError as error:
            return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")
    shown: list[set[str]] = [set() for _ in plans]
    for number, name in filter(None, map(unmarked, names)):
        if number < len(shown):
            shown[number].add(name)
    return [
        tuple(sorted(one)) if one else Failed(Outcome.UNDECODED, "the object file has no symbol of it")
        for one in shown
    ]


def standard(command: Sequence[str]) -> tuple[str, ...]:
    """The option for a standard, if a command has none."""
    return () if any(word.startswith(STANDARDS) for word in command) else (STANDARD,)

"""Known results in a comparison of lowerings: prototypes, crashes, and entries that no longer occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.lowerings.both import answers_of, ways
from abiprobe.harness.lowerings.comparing import Difference
from abiprobe.harness.lowerings.place import Pair, Place
from abiprobe.harness.lowerings.sweep import Member, SweepResult
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.causes.traits import alike, traits
from abiprobe.results.known.lowerings import Entry, Lowering

LIKE = "x86_64-sysv"
"""The target for which examples are read where there is no model: types go by their names."""
MOST = 3
"""Targets that a line names."""


class Sorted(msgspec.Struct):
    """The new differences, and the number of prototypes that each entry explains; `crashes` are the entries' words on failures."""

    new: list[Member] = msgspec.field(default_factory=list)
    met: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    crashes: set[tuple[Place, int, tuple[str, str]]] = msgspec.field(default_factory=set)

    def count(self, entry: Entry, place: Place, number: int = 1) -> None:
        """Count prototypes that an entry explains at a place."""
        self.met.setdefault(entry.name, Counter())[place.name] += number


@cache
def lowering(subject: Subject, place: Place) -> Lowering:
    """A lowering with its version, as entries are matched against it."""
    command = place.command(subject)
    version = "" if command is None else identity(command).version
    return Lowering(subject.spelling, subject.lowering, version)


def sort_out(swept: SweepResult, lowerings: Sequence[Subject], entries: Iterable[Entry]) -> Sorted:
    """Tell what is known of a sweep from what is new; of a prototype only the differences that no entry explains are new."""
    entries = tuple(entries)
    found = Sorted()
    for member in swept.members:
        explained = explanations(member, entries)
        unknown = [one for one in member.differences if one not in explained]
        met = {entry.name: entry for entry in explained.values()}
        for entry in met.values():
            found.count(entry, member.place)
        if unknown:
            found.new.append(msgspec.structs.replace(member, differences=tuple(unknown)))
    for (place, number), tally in swept.tallies.items():
        others = lowerings[number : number + 1] if number else lowerings[1:]
        pairs = [(lowerings[0], other) for other in others]
        for key, count in tally.failures.items():
            for entry in entries:
                if any(entry.explains_crash(asked(pair, place), place.name, key[1]) for pair in pairs):
                    found.crashes.add((place, number, key))
                    found.count(entry, place, count)
                    break
    return found


def asked(pair: Pair, place: Place) -> tuple[Lowering, Lowering]:
    """Two lowerings with their versions."""
    return lowering(pair[0], place), lowering(pair[1], place)


def explanations(member: Member, entries: Iterable[Entry]) -> dict[Difference, Entry]:
    """For each difference of a prototype the first entry that explains it; none for one that is new."""
    here = [one for one in entries if one.is_about(member.place.name)]
    if not here:
        return {}
    both = asked(member.pair, member.place)
    has = alike(traits(member.function))
    found: dict[Difference, Entry] = {}
    for difference in member.differences:
        text = str(difference)
        # What is passed alike needs no explanation, and may be spelled as what is not.
        for entry in here if difference.abi else ():
            if entry.explains(both, member.place.name, text, has):
                found[difference] = entry
                break
    return found


def gone(entries: Iterable[Entry], places: Sequence[Place], lowerings: Sequence[Subject]) -> tuple[str, ...]:
    """The entries whose examples are lowered alike, or without a crash, wherever they concern what was asked."""
    found = []
    for entry in entries:
        shown = [
            shows(entry, place, (lowerings[0], other))
            for place in places
            if entry.is_about(place.name)
            for other in lowerings[1:]
            if entry.turned(asked((lowerings[0], other), place)) is not None
        ]
        if any(one is False for one in shown) and not any(shown):
            found.append(entry.name)
    return tuple(found)


def shows(entry: Entry, place: Place, pair: Pair) -> bool | None:
    """Return whether the example of an entry shows it; `None` if a lowering rejects it."""
    declared = declared_in(entry.example, place.target or TARGETS[LIKE])
    functions = declared.functions
    both = asked(pair, place)
    answers = answers_of(pair, place, functions)
    explained = False
    for number, function in enumerate(functions):
        left, right = (each[number] for each in answers)
        has = alike(traits(function))
        if isinstance(left, Failed) or isinstance(right, Failed):
            dead = [one for one in (left, right) if isinstance(one, Failed)]
            if any(entry.explains_crash(both, place.name, one.words) for one in dead):
                return True
            continue
        explained = True
        if any(entry.explains(both, place.name, str(one), has) for one in ways(left, right)):
            return True
    return False if explained else None


def line_about(entry: Entry, met: Counter[str]) -> str:
    """A line about an entry that a comparison met."""
    where = ", ".join(met) if len(met) <= MOST else f"{len(met)} targets"
    return f"{met.total():7d}  {entry.name} ({entry.status.value}; {where})  {entry.link}"

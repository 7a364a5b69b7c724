"""The groups of subjects where no text decides, as an entry for a known difference says it.

A side is those who answer alike: families with ranges of versions. All that were asked of one side go together, and none
of it goes with one of another side, so a version that leaves its family is new. Each side follows its own reading, and
has what they differ on where it is said to have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.coverage.differing import Comparison, Group
from abiprobe.results.known.instead import ALTERNATIVES, fits, open_place
from abiprobe.results.verdicts.locations import Spot
from abiprobe.results.verdicts.readings import AND


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Those who answer alike: `subjects` are families with a range of versions.

    `readings` are those that they may follow where readings are known: without any, the one of a family of the side.
    `instead` gives by clause the places or numbers that they may have, with wildcards; of a clause that is not there
    nothing is said.
    """

    subjects: tuple[str, ...]
    readings: tuple[str, ...] = ()
    instead: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def has(self, subject: str, version: str) -> bool:
        """Return whether a subject with this version line is on the side."""
        return any(Range.read(one).has(subject, version) for one in self.subjects)

    def reads(self, reading: str) -> bool:
        """Return whether the side may follow a reading, as a group names it; empty where no reading is known."""
        allowed = self.readings or tuple(Range.read(one).family for one in self.subjects)
        return not reading or bool(set(reading.split(AND)) & set(allowed))

    def may_have(self, clause: str, at: Sequence[Spot]) -> bool:
        """Return whether the side may have something in one of the places that a group has."""
        named = self.instead.get(clause, ())
        return fits((ALTERNATIVES.join(map(open_place, at)),), named)


class Split(msgspec.Struct, frozen=True):
    """The division of subjects on one open question: on what first, the groups of those that go together, and each version line.

    `further` are the groups of each further part on which they differ.
    """

    what: str
    groups: tuple[Group, ...]
    versions: Mapping[str, str]
    further: tuple[tuple[Group, ...], ...] = ()

    @classmethod
    def of(cls, found: Comparison | None, versions: Mapping[str, str]) -> Split | None:
        """Return how all that were asked divide on a probe; `None` where they do not, and where the text decides."""
        if found is None or not found.subjects_differ:
            return None
        first, *others = found.differing
        return cls(first.what, first.groups, versions, tuple(part.groups for part in others))


def is_as_said(sides: Sequence[Side], clause: str, split: Split) -> bool:
    """Return whether subjects divide as the sides of an entry say: each together, apart from all others, and as it is said of them.

    So they must on every part on which they differ; the places that a side may have are those of the first one. Subjects that no
    side names are left to other entries.
    """
    first, *further = (divided(sides, split, groups) for groups in (split.groups, *split.further))
    if first is None or None in further:
        return False
    return all(answers(sides[number], clause, group) for number, group in first)


def divided(sides: Sequence[Side], split: Split, groups: Sequence[Group]) -> list[tuple[int, Group]] | None:
    """The side of each group that has one, if each side is together and apart from all others; else `None`."""
    found = [(sides_in(sides, split, group), group) for group in groups]
    named = [(numbers, group) for numbers, group in found if numbers]
    if (
        len(named) < 2
        or any(len(numbers) > 1 for numbers, _ in named)
        or any(one & other for (one, _), (other, _) in combinations(named, 2))
    ):
        return None
    return [(number, group) for (number,), group in named]


def answers(side: Side, clause: str, group: Group) -> bool:
    """Return whether a group answers as is said of a side."""
    return side.reads(group.reading) and side.may_have(clause, group.at)


def sides_in(sides: Sequence[Side], split: Split, group: Group) -> frozenset[int]:
    """The numbers of the sides that have a subject in a group."""
    return frozenset(
        number
        for subject, _ in group.subjects
        for number, side in enumerate(sides)
        if side.has(subject, split.versions.get(subject, ""))
    )


def subjects_of(sides: Iterable[Side]) -> tuple[str, ...]:
    """All that any side names, each once."""
    return tuple(dict.fromkeys(one for side in sides for one in side.subjects))

"""Wrong rows that are known told from new ones, and known bugs that no longer occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from abiprobe.generators.frames import traits
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.unwind.causes import Kind, Member, kind, members
from abiprobe.harness.unwind.image import Answer, answer
from abiprobe.harness.unwind.sweep import FRAME_POINTERS, Share, Way, bench, built
from abiprobe.results.known.ways import Entry
from abiprobe.results.verdicts.record import Outcome

LEVELS = ("O2", "O1", "Os")
"""The levels at which an example is tried."""


class Sorted(msgspec.Struct):
    """New wrong rows, and for each entry that explains others the functions by target and subject."""

    new: list[tuple[Kind, Member]] = msgspec.field(default_factory=list)
    met: dict[str, Counter[tuple[str, str]]] = msgspec.field(default_factory=dict)


def sort_out(found: Iterable[tuple[Share, Answer]], entries: Sequence[Entry]) -> Sorted:
    """Tell what is known from what is new: of a function each kind of wrong rows needs an entry of its own."""
    result = Sorted()
    for share, one in found:
        here = [entry for entry in entries if concerns(entry, share.way)]
        for each, member in members(share, one):
            has = traits(member.function)
            entry = next((e for e in here if e.explains(str(each), has)), None)
            if entry is None:
                result.new.append((each, member))
            else:
                where = share.way.target, share.way.subject.spelling
                result.met.setdefault(entry.name, Counter())[where] += 1
    return result


def concerns(entry: Entry, way: Way) -> bool:
    """Return whether an entry is about the compiler and target of a way."""
    return entry.is_of(way.target, way.subject.spelling, identity(built(way).command).version)


def gone(entries: Iterable[Entry], asked: Iterable[Way]) -> tuple[str, ...]:
    """The entries whose examples are stepped and show nothing, for a compiler and target that were asked."""
    ways = list({(way.target, way.subject): way for way in asked}.values())
    return tuple(
        entry.name
        for entry in entries
        if any(concerns(entry, way) and shows(entry, way) is False for way in ways)
    )


def shows(entry: Entry, way: Way) -> bool | None:
    """Return whether the example of an entry shows it to a compiler on a target; `None` if it cannot be stepped there."""
    answers = (
        stepped_example(entry, msgspec.structs.replace(way, level=level, options=(option,)))
        for level in LEVELS
        for option in FRAME_POINTERS
    )
    stepped = False
    for one in answers:
        stepped |= one.outcome is Outcome.OBSERVED
        if any(str(kind(wrong)) in entry.wrong for wrong in one.stepping.wrong.values() if not wrong.sequel):
            return True
    return False if stepped else None


def stepped_example(entry: Entry, way: Way) -> Answer:
    """Compile and step the example of an entry."""
    about, trusted = bench(way.target)
    with temporary() as folder:
        return answer(entry.example, 1, built(way), about, trusted, Path(folder))

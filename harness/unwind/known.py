"""Known bugs of unwind tables: which compilers they are of, and whether their examples show them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from abiprobe.generators.frames import traits
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.unwind.causes import Cause, Kind, Member, causes, kind
from abiprobe.harness.unwind.image import Answer, answer
from abiprobe.harness.unwind.sorting import Search
from abiprobe.harness.unwind.sweep import Way, bench, built
from abiprobe.results.known.ways import Entry
from abiprobe.results.verdicts.record import Outcome

LEVELS = ("O2", "O1", "Os")
"""The levels at which an example is tried."""


def shows(entry: Entry, way: Way) -> bool | None:
    """Return whether the example of an entry shows it to a compiler on a target; `None` if it cannot be stepped there."""
    answers = (
        stepped_example(entry, msgspec.structs.replace(way, level=level, options=(option,)))
        for level in LEVELS
        for option in bench(way.target)[0].variants
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


SEARCH: Search[Way, Kind, Member, Cause] = Search(
    place=lambda way: (way.target, way.subject.spelling),
    version=lambda way: (way.subject.spelling, identity(built(way).command).version),
    traits=lambda member: traits(member.function),
    shows=shows,
    causes=causes,
)

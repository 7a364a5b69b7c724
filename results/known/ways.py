"""Known bugs of unwind tables, debug information and debuggers: read their TOML entries and match them against what was seen.

An entry says of which compilers and where, in which ways they are wrong, and what a function must have for it.
"""

from __future__ import annotations

from functools import partial
from importlib import resources

from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.known.entries import KnownEntry, read_entries, with_name


class Entry(KnownEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known bug.

    `subjects` are compiler families, each with a range of versions (`gcc>=12`), `wrong` the ways in which they are wrong, as causes are headed.
    `traits` are those of a function. `example` shows it: a unit of C in whose `f0` rows are wrong, or a prototype.
    """

    subjects: tuple[str, ...]
    wrong: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` for a field that is empty or malformed."""
        super().__post_init__()
        for field in ("subjects", "wrong"):
            if not getattr(self, field):
                raise ValueError(f"{self.name} has no {field}")
        for one in self.subjects:
            Range.read(one)

    def is_of(self, target: str, subject: str, version: str) -> bool:
        """Return whether it is a bug of a subject with this version line on a target."""
        return self.is_about(target) and any(Range.read(one).has(subject, version) for one in self.subjects)

    def explains(self, wrong: str, traits: frozenset[str]) -> bool:
        """Return whether a function with these traits is wrong in this way by it."""
        return wrong in self.wrong and self.suits(traits)


def parse(text: str, name: str, of: str) -> tuple[Entry, ...]:
    """The entries of a TOML file called `name`, those of one kind; raises `KnownError`."""
    return read_entries(text, name, of, partial(with_name, entry=Entry))


def shipped(of: str) -> tuple[Entry, ...]:
    """The known bugs of one kind that come with abiprobe."""
    file = f"known_{of}.toml"
    return parse(resources.files("abiprobe.results.known").joinpath(file).read_text("utf-8"), file, of)

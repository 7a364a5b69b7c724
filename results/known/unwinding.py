"""Known bugs of unwind tables: read their TOML entries and match them against wrong rows.

An entry says of which compilers and where, in which ways rows are wrong, and what a function must have for it.
"""

from __future__ import annotations

from importlib import resources

from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.known.entries import KnownEntry, read_entries, with_name

FILE = "known_unwinding.toml"
TABLES = "unwinding"


class Entry(KnownEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known bug.

    `subjects` are compiler families, each with a range of versions (`gcc>=12`), `wrong` the ways in which rows are wrong, as causes are headed.
    `traits` are those of a function's frame. `example` is a unit of C in which `f0` shows it.
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


def parse(text: str, name: str) -> tuple[Entry, ...]:
    """The entries of a TOML file called `name`; raises `KnownError`."""
    return read_entries(text, name, TABLES, lambda table: with_name(table, Entry))


def shipped() -> tuple[Entry, ...]:
    """The known bugs that come with abiprobe."""
    return parse(resources.files("abiprobe.results.known").joinpath(FILE).read_text("utf-8"), FILE)

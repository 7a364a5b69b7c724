"""Known differences between lowerings: read their TOML entries and match them against differences of signatures.

An entry says between which lowerings and where it occurs, which differences of a prototype it explains, or which crash,
and what a prototype must have for it. It decides nothing about registers.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from importlib import resources

import msgspec

from abiprobe.oracles.quirks.versions import Range
from abiprobe.results.known.entries import LOWERING, KnownEntry, read_entries, with_name

FILE = "known_lowerings.toml"
ANY_WIDTH = "i[0-9]*"
"""The one wildcard that a difference may have: an integer of any width."""


class Lowering(msgspec.Struct, frozen=True):
    """A lowering that was asked: its subject, which of its compiler's lowerings (empty: the usual one), and the version line."""

    subject: str
    which: str = ""
    version: str = ""


class Entry(KnownEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known difference.

    `targets` name triples as well. `between` are the two lowerings, each a compiler family with a
    range of versions and perhaps its lowering (`clang>=24+llvmabi`). `differences` are what differs (`result: integer |
    sret`), the first lowering on the left; of integers the width may be any (`i[0-9]*`), and nothing else. `crashed` are
    phrases of the message with which one of the two dies.
    """

    between: tuple[str, str]
    differences: tuple[str, ...] = ()
    crashed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a field that is empty or malformed."""
        super().__post_init__()
        if not self.differences and not self.crashed:
            raise ValueError(
                f'{self.name} does not say what differs: differences = ["result: integer | sret"]'
            )
        for pattern in self.differences:
            if re.search(r"[*?]", pattern.replace(ANY_WIDTH, "")):
                raise ValueError(
                    f"{self.name} says of a side that it may be anything: {pattern!r}; name what is there"
                )
        for one in self.between:
            side(one)

    def turned(self, pair: tuple[Lowering, Lowering]) -> bool | None:
        """Return whether two lowerings are those of the entry the other way round; `None` if they are others."""
        first, second = map(side, self.between)
        if is_one(first, pair[0]) and is_one(second, pair[1]):
            return False
        return True if is_one(first, pair[1]) and is_one(second, pair[0]) else None

    def explains(
        self, pair: tuple[Lowering, Lowering], place: str, difference: str, traits: frozenset[str]
    ) -> bool:
        """Return whether it explains a difference (`WHERE: LEFT | RIGHT`) of a prototype with these traits."""
        turned = self.turned(pair)
        if turned is None or not self.is_about(place) or not self.suits(traits):
            return False
        seen = mirrored(difference) if turned else difference
        return any(fnmatchcase(seen, pattern) for pattern in self.differences)

    def explains_crash(self, pair: tuple[Lowering, Lowering], place: str, words: str) -> bool:
        """Return whether it explains that one of two lowerings died with these words."""
        return (
            self.turned(pair) is not None
            and self.is_about(place)
            and any(phrase in words for phrase in self.crashed)
        )


def side(text: str) -> tuple[Range, str]:
    """`clang>=24+llvmabi`: versions of a family, and one of its lowerings; raises `ValueError`."""
    versions, _, which = text.partition("+")
    return Range.read(versions), which


def is_one(wanted: tuple[Range, str], found: Lowering) -> bool:
    """Return whether a lowering is one of those that an entry names."""
    versions, which = wanted
    return found.which == which and versions.has(found.subject, found.version)


def mirrored(difference: str) -> str:
    """A difference as seen from the other side."""
    found = re.fullmatch(r"(.*?): (.*) \| (.*)", difference)
    return difference if found is None else f"{found[1]}: {found[3]} | {found[2]}"


def parse(text: str, name: str) -> tuple[Entry, ...]:
    """The entries of a TOML file called `name`; raises `KnownError`."""
    return read_entries(text, name, LOWERING, lambda table: with_name(table, Entry))


def shipped() -> tuple[Entry, ...]:
    """The known differences that come with abiprobe."""
    return parse(resources.files("abiprobe.results.known").joinpath(FILE).read_text("utf-8"), FILE)

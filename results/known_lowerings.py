"""Known differences between lowerings: read their TOML entries and match them against differences of signatures.

An entry says between which lowerings and where it occurs, which differences of a prototype it explains, or which crash,
and what a prototype must have for it. It decides nothing about registers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from datetime import date
from fnmatch import fnmatchcase
from importlib import resources

import msgspec

from abiprobe.results.known import KnownError, Status
from abiprobe.results.versions import Range

FILE = "known_lowerings.toml"
TABLES = "lowering"


class Lowering(msgspec.Struct, frozen=True):
    """A lowering that was asked: its subject, which of its compiler's lowerings (empty: the usual one), and the version line."""

    subject: str
    which: str = ""
    version: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known difference.

    `targets` are names of targets and triples with wildcards. `between` are the two lowerings, each a compiler family with a
    range of versions and perhaps its lowering (`clang>=24+llvmabi`). `differences` are patterns of what differs (`result:
    integer | sret`), the first lowering on the left; `crashed` are phrases of the message with which one of the two dies. The
    prototype must have all of `traits` and none of `without`. `link` is the upstream report, or `unreported`. The
    declarations of `example` show it; an entry is void from `expires` on.
    """

    name: str
    targets: tuple[str, ...]
    between: tuple[str, str]
    status: Status
    reason: str
    link: str
    since: date
    example: str
    differences: tuple[str, ...] = ()
    crashed: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    expires: date | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for a field that is empty or malformed."""
        for field in ("name", "targets", "reason", "link", "example"):
            if not getattr(self, field):
                raise ValueError(f"{self.name or 'an entry'} has no {field}")
        if not self.differences and not self.crashed:
            raise ValueError(
                f'{self.name} does not say what differs: differences = ["result: integer | sret"]'
            )
        for one in self.between:
            side(one)

    def is_void(self, today: date) -> bool:
        """Whether the entry has expired."""
        return self.expires is not None and today >= self.expires

    def concerns(self, place: str) -> bool:
        """Whether it applies to a target or triple."""
        return any(fnmatchcase(place, pattern) for pattern in self.targets)

    def turned(self, pair: tuple[Lowering, Lowering]) -> bool | None:
        """Whether two lowerings are those of the entry the other way round; `None` if they are others."""
        first, second = map(side, self.between)
        if is_one(first, pair[0]) and is_one(second, pair[1]):
            return False
        return True if is_one(first, pair[1]) and is_one(second, pair[0]) else None

    def explains(
        self, pair: tuple[Lowering, Lowering], place: str, difference: str, traits: frozenset[str]
    ) -> bool:
        """Whether it explains a difference (`WHERE: LEFT | RIGHT`) of a prototype with these traits."""
        turned = self.turned(pair)
        if turned is None or not self.concerns(place) or not self.suits(traits):
            return False
        told = mirrored(difference) if turned else difference
        return any(fnmatchcase(told, pattern) for pattern in self.differences)

    def explains_crash(self, pair: tuple[Lowering, Lowering], place: str, words: str) -> bool:
        """Whether it explains that one of two lowerings died with these words."""
        return (
            self.turned(pair) is not None
            and self.concerns(place)
            and any(phrase in words for phrase in self.crashed)
        )

    def suits(self, traits: frozenset[str]) -> bool:
        """Whether a prototype has all that the entry asks for and nothing that it excludes."""
        return traits.issuperset(self.traits) and not traits & set(self.without)


def side(text: str) -> tuple[Range, str]:
    """`clang>=24+llvmabi`: versions of a family, and one of its lowerings; raises `ValueError`."""
    versions, _, which = text.partition("+")
    if "zig-lang" in versions:
        # A family whose name has a dash in it.
        return Range("zig-lang", Range.read(versions.replace("zig-lang", "zig")).bounds), which
    return Range.read(versions), which


def is_one(wanted: tuple[Range, str], found: Lowering) -> bool:
    """Whether a lowering is one of those that an entry names."""
    versions, which = wanted
    return found.which == which and versions.has(found.subject, found.version)


def mirrored(difference: str) -> str:
    """A difference as seen from the other side."""
    found = re.fullmatch(r"(.*?): (.*) \| (.*)", difference)
    return difference if found is None else f"{found[1]}: {found[3]} | {found[2]}"


def parse(text: str, name: str) -> tuple[Entry, ...]:
    """The entries of a TOML file called `name`; raises `KnownError`."""
    try:
        found = msgspec.convert(tomllib.loads(text).get(TABLES, []), tuple[Entry, ...])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise KnownError(f"{name}: {error}") from error
    names = [entry.name for entry in found]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise KnownError(f"{name}: two entries are called {twice!r}")
    return found


def shipped() -> tuple[Entry, ...]:
    """The known differences that come with abiprobe."""
    return parse(resources.files("abiprobe.results").joinpath(FILE).read_text("utf-8"), FILE)


def in_force(entries: Iterable[Entry], today: date) -> tuple[Entry, ...]:
    """Those that have not expired."""
    return tuple(entry for entry in entries if not entry.is_void(today))

"""The fields that all entries of known files share: where they hold, why they are known, and how their files are read."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TypeVar

import msgspec

from abiprobe.oracles.quirks.quirk import Status
from abiprobe.results.causes.traits import alike

DEVIATION, LOWERING = "deviation", "lowering"
UNWINDING, DEBUG_INFO, DEBUGGER = "unwinding", "debug_info", "debugger"
TABLES = frozenset({DEVIATION, LOWERING, UNWINDING, DEBUG_INFO, DEBUGGER})
"""Tables of which a file may have several: what each command finds."""


class KnownError(Exception):
    """A file of known deviations that cannot be read: what is wrong, in one line."""


class KnownEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """An entry about something that was seen.

    `targets` are names with wildcards, of targets as written or of dialects. The question must have all of `traits`, or all of one of the `others`, and none
    of `without`. `link` is the upstream report, or `unreported`; the declarations of `example` show it; `since` and `expires` are dates (ISO 8601), and an
    entry is void from `expires` on.
    """

    name: str
    targets: tuple[str, ...]
    status: Status
    reason: str
    link: str
    since: date
    example: str
    traits: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    expires: date | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for a field that is empty or malformed."""
        for field in ("name", "targets", "reason", "link", "example"):
            if not getattr(self, field):
                raise ValueError(f"{self.name or 'an entry'} has no {field}")
        if self.others and not (self.traits and all(self.others)):
            raise ValueError(f"{self.name} has others beside no traits")

    def is_void(self, today: date) -> bool:
        """Return whether the entry has expired."""
        return self.expires is not None and today >= self.expires

    def is_about(self, target: str) -> bool:
        """Return whether it applies to a target, dialect or not, or to a triple.

        What a compiler does it does whatever a model says, so an entry that names no dialect applies to all of them: where
        one decides otherwise, nothing deviates.
        """
        base, _, _ = target.partition("@")
        return self.names(target) or (not any(map(is_dialect, self.targets)) and self.names(base))

    @cached_property
    def wanted(self) -> tuple[frozenset[str], ...]:
        """The sets of traits of which a question must have one, as `alike` gives them."""
        return tuple(map(alike, (self.traits, *self.others)))

    @cached_property
    def unwanted(self) -> frozenset[str]:
        """The traits that a question must not have, as `alike` gives them."""
        return alike(self.without)

    def held(self, found: frozenset[str]) -> tuple[frozenset[str], ...]:
        """The sets that a question with these traits (as `alike` gives them) has, of those of which it must have one."""
        return tuple(one for one in self.wanted if one <= found)

    def suits(self, found: frozenset[str]) -> bool:
        """Return whether a question with these traits (as `alike` gives them) is one that the entry describes."""
        return bool(self.held(found)) and not self.unwanted & found

    def names(self, target: str) -> bool:
        """Return whether it says of this very target that something is seen there; of a dialect only where it names dialects."""
        return any(
            fnmatchcase(target, pattern) and is_dialect(pattern) >= is_dialect(target)
            for pattern in self.targets
        )


def is_dialect(target: str) -> bool:
    """Return whether a target, or a pattern of targets, is a dialect."""
    return "@" in target


E = TypeVar("E", bound=KnownEntry)


def in_force(entries: Iterable[E], today: date) -> tuple[E, ...]:
    """Those that have not expired."""
    return tuple(entry for entry in entries if not entry.is_void(today))


def read_entries(
    text: str, name: str, table: str, read: Callable[[Mapping[str, object]], E]
) -> tuple[E, ...]:
    """The entries of a TOML file called `name`, in tables called `table`; raises `KnownError`."""
    try:
        tables: list[Mapping[str, object]] = msgspec.convert(
            tables_of(text).get(table, []), list[dict[str, object]]
        )
        entries = tuple(map(read, tables))
    except RecursionError as error:
        raise KnownError(f"{name}: its values are nested too deeply") from error
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError, TypeError) as error:
        raise KnownError(f"{name}: {error}") from error
    names = [entry.name for entry in entries]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise KnownError(f"{name}: two entries are called {twice!r}")
    return entries


def tables_of(text: str) -> dict[str, object]:
    """The tables of a TOML file; raises `ValueError` for one of which no command reads entries."""
    found = tomllib.loads(text)
    if strange := sorted(found.keys() - TABLES):
        raise ValueError(
            f"{strange[0]!r} is no table of known findings; there are {', '.join(sorted(TABLES))}"
        )
    return found


def with_name(table: Mapping[str, object], entry: type[E]) -> E:
    """An entry of a table; raises `ValueError` with the entry's name for what is missing or not understood."""
    try:
        return msgspec.convert(table, entry)
    except msgspec.ValidationError as error:
        raise ValueError(f"{table.get('name', 'an entry without a name')}: {error}") from error

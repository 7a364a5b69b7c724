"""The files of known deviations that a command goes by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.own_quirks import chosen as chosen_quirks
from abiprobe.results.known import lowerings as known_lowerings
from abiprobe.results.known import ways
from abiprobe.results.known.deviations import Known, parse, shipped
from abiprobe.results.known.entries import (
    DEBUG_INFO,
    DEBUGGER,
    DEVIATION,
    LOWERING,
    UNWINDING,
    KnownEntry,
    KnownError,
)

E = TypeVar("E", bound=KnownEntry)
ZONES = timedelta(days=1)
"""By how much the date elsewhere may be ahead of ours."""
T = TypeVar("T")


def read_known(more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False) -> Known:
    """The shipped list and quirks with the entries of the files `more`; or those of `only` and `more`; or none.

    An entry of a file replaces an earlier one of the same name. Raises `Problem` for files that cannot be read and for
    options that contradict each other.
    """
    entries = chosen(more, only, lambda: shipped().entries, lambda path: read(path).entries, none=none)
    return Known(entries, () if none or only else chosen_quirks().quirks)


def read_known_lowerings(
    more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False
) -> tuple[known_lowerings.Entry, ...]:
    """The known differences between lowerings, chosen as `read_known` does."""
    entries = partial(of_file, reader=known_lowerings.parse)
    return chosen(more, only, known_lowerings.shipped, entries, none=none)


def read_known_ways(
    of: str, more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False
) -> tuple[ways.Entry, ...]:
    """The known bugs of unwind tables or of debug information, chosen as `read_known` does."""
    entries = partial(of_file, reader=partial(ways.parse, of=of))
    return chosen(more, only, partial(ways.shipped, of), entries, none=none)


READERS: dict[str, Callable[..., Known | Sequence[KnownEntry]]] = {
    DEVIATION: read_known,
    LOWERING: read_known_lowerings,
    **{of: partial(read_known_ways, of) for of in (UNWINDING, DEBUG_INFO, DEBUGGER)},
}
"""The readers of what is known, by the tables in which it stands."""


def of_file(path: Path, reader: Callable[[str, str], tuple[E, ...]]) -> tuple[E, ...]:
    """The entries of one file; raises `Problem`."""
    found = parsed(path, reader)
    expect_known_by_now(path, found)
    return found


def chosen(
    more: Sequence[Path],
    only: Sequence[Path],
    ours: Callable[[], Sequence[E]],
    entries: Callable[[Path], Sequence[E]],
    *,
    none: bool,
) -> tuple[E, ...]:
    """Our entries with those of the files `more`; or those of `only` and `more`; or none."""
    if none:
        contradict_nothing(more, only)
        return ()
    found: dict[str, E] = {} if only else {entry.name: entry for entry in ours()}
    for path in (*only, *more):
        found |= {entry.name: entry for entry in entries(path)}
    return tuple(found.values())


def contradict_nothing(more: Sequence[Path], only: Sequence[Path]) -> None:
    """Raise `Problem` where somebody names files and wants to know of nothing."""
    if more or only:
        raise Problem("--no-known contradicts --known and --known-only", "name the files, or --no-known")


def read(path: Path) -> Known:
    """The entries of one file; raises `Problem`."""
    found = parsed(path, parse)
    expect_known_by_now(path, found.entries)
    return found


def expect_known_by_now(path: Path, entries: Iterable[KnownEntry]) -> None:
    """Raise `Problem` for an entry that says that it is known from a day on that has not come."""
    today = datetime.now(UTC).date()
    early = next((one for one in entries if one.since > today + ZONES), None)
    if early is not None:
        raise Problem(
            f"{path}: {early.name} is known since {early.since}, and today is {today}",
            "correct the date, or the clock of this machine",
        )


def parsed(path: Path, reader: Callable[[str, str], T]) -> T:
    """Return what a reader makes of a file; raises `Problem`."""
    try:
        return reader(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is not UTF-8") from error
    except KnownError as error:
        raise Problem(
            str(error), "docs/how-to/triage.md describes an entry; abiprobe list known shows the shipped ones"
        ) from error

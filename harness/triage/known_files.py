"""The files of known deviations that a command goes by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from abiprobe.harness.base.problem import Problem
from abiprobe.results import known_lowerings
from abiprobe.results.known import Entry, Known, KnownError, parse, shipped

T = TypeVar("T")


def read_known(more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False) -> Known:
    """The shipped list with the entries of the files `more`; or those of `only` and `more`; or none.

    An entry of a file replaces an earlier one of the same name. Raises `Problem` for files that cannot be read and for
    options that contradict each other.
    """
    if none:
        contradict_nothing(more, only)
        return Known()
    found: dict[str, Entry] = {} if only else {entry.name: entry for entry in shipped().entries}
    for path in (*only, *more):
        found |= {entry.name: entry for entry in read(path).entries}
    return Known(tuple(found.values()))


def read_known_lowerings(
    more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False
) -> tuple[known_lowerings.Entry, ...]:
    """The known differences between lowerings, chosen as `read_known` does."""
    if none:
        contradict_nothing(more, only)
        return ()
    found = {} if only else {entry.name: entry for entry in known_lowerings.shipped()}
    for path in (*only, *more):
        found |= {entry.name: entry for entry in parsed(path, known_lowerings.parse)}
    return tuple(found.values())


def contradict_nothing(more: Sequence[Path], only: Sequence[Path]) -> None:
    """Raise `Problem` where somebody names files and wants to know of nothing."""
    if more or only:
        raise Problem("--no-known contradicts --known and --known-only", "name the files, or --no-known")


def read(path: Path) -> Known:
    """The entries of one file; raises `Problem`."""
    return parsed(path, parse)


def parsed(path: Path, reader: Callable[[str, str], T]) -> T:
    """What a reader makes of a file; raises `Problem`."""
    try:
        return reader(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is not UTF-8") from error
    except KnownError as error:
        raise Problem(
            str(error), "docs/triage.md describes an entry; abiprobe list known shows the shipped ones"
        ) from error

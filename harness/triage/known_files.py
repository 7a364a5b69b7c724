"""The files of known deviations that a command goes by."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.results.known import Entry, Known, KnownError, parse, shipped


def read_known(more: Sequence[Path] = (), only: Sequence[Path] = (), *, none: bool = False) -> Known:
    """The shipped list with the entries of the files `more`; or those of `only` and `more`; or none.

    An entry of a file replaces an earlier one of the same name. Raises `Problem` for files that cannot be read and for
    options that contradict each other.
    """
    if none:
        if more or only:
            raise Problem("--no-known contradicts --known and --known-only", "name the files, or --no-known")
        return Known()
    found: dict[str, Entry] = {} if only else {entry.name: entry for entry in shipped().entries}
    for path in (*only, *more):
        found |= {entry.name: entry for entry in read(path).entries}
    return Known(tuple(found.values()))


def read(path: Path) -> Known:
    """The entries of one file; raises `Problem`."""
    try:
        return parse(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise Problem(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is not UTF-8") from error
    except KnownError as error:
        raise Problem(
            str(error), "docs/triage.md describes an entry; abiprobe list known shows the shipped ones"
        ) from error

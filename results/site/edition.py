"""`site.json`: what an edition of the folder knows, for the next edition and for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from abiprobe.results.site.news import Past, Remembered
from abiprobe.results.site.sightings import Sighted

NAME = "site.json"
KIND = "abiprobe site"
SCHEMA = 1


class Edition(msgspec.Struct, frozen=True):
    """The contents of the file: `kind` marks a folder as one that `site` may write to, `updated` is its newest run's date."""

    kind: str
    schema: int
    updated: str
    past: Past


class EditionError(Exception):
    """A folder that has no edition which this version can read; the message is one line."""


def read_edition(folder: Path) -> Edition:
    """The edition in a folder; raises `EditionError`."""
    path = folder / NAME
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Edition)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EditionError(f"{path} cannot be read ({reason})") from error
    if (found.kind, found.schema) != (KIND, SCHEMA):
        raise EditionError(
            f"{path} is {found.kind!r} of schema {found.schema}, and this abiprobe reads {KIND!r} of schema {SCHEMA}"
        )
    return found


def write_edition(edition: Edition) -> str:
    """The text of the file."""
    return msgspec.json.format(msgspec.json.encode(edition, order="sorted"), indent=1).decode() + "\n"


def kept(past: Past, causes: Sequence[Sighted], now: Iterable[Remembered]) -> tuple[Remembered, ...]:
    """The causes of an edition, with those that only earlier ones show."""
    here = {name for one in causes for name in (one.id, *one.former)}
    gone = (msgspec.structs.replace(one, gone=True) for one in past.causes if one.id not in here)
    return tuple(sorted((*now, *gone), key=lambda one: one.id))


def moved(past: Past, causes: Sequence[Sighted]) -> dict[str, str]:
    """Map pages of earlier editions whose cause was renamed to the new page."""
    had = {one.id for one in past.causes} | set(past.moved)
    now = {one.id for one in causes}
    found = {name: one.id for one in causes for name in one.former if name in had and name not in now}
    lasting = {name: found.get(to, to) for name, to in past.moved.items() if name not in now}
    return dict(sorted({**lasting, **found}.items()))

"""Since when and until when: the versions of a family that show a cause, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from abiprobe.results.causes.timeline import VersionResult


class Span(msgspec.Struct, frozen=True):
    """Versions next to each other that show a cause, by their short names.

    `since` says that an earlier version was tested and does not show it, `until` that a later one does not.
    """

    first: str
    last: str
    since: bool
    until: bool

    def __str__(self) -> str:
        one = self.first == self.last
        if self.since and self.until:
            return f"only {self.first}" if one else f"{self.first} to {self.last}"
        if self.since:
            return f"since {self.first}"
        if self.until:
            return f"until {self.last}"
        return self.first if one else f"{self.first} to {self.last} (all tested)"


def spans(shown: Sequence[tuple[str, VersionResult]]) -> tuple[Span, ...]:
    """The spans in what each version of one family shows, oldest first; one that shows nothing is passed over."""
    observed = [(name, what is VersionResult.BAD) for name, what in shown if what is not VersionResult.SILENT]
    found, at = [], 0
    for bad, items in groupby(observed, key=lambda item: item[1]):
        names = [name for name, _ in items]
        end = at + len(names)
        if bad:
            found.append(Span(names[0], names[-1], since=at > 0, until=end < len(observed)))
        at = end
    return tuple(found)


def in_words(family: str, shown: Sequence[tuple[str, VersionResult]]) -> str:
    """The spans of a family: `clang since 23`; empty where no version shows the cause."""
    found = spans(shown)
    if not found:
        return ""
    names = ", ".join(map(str, found))
    return names if len(shown) == 1 and names == family else f"{family} {names}"

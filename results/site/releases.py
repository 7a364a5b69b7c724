"""The changes from the last release of a compiler to its newest one."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.site.compilers import Compiler, by_family
from abiprobe.results.site.content import Cause, Content


class ReleaseChanges(msgspec.Struct, frozen=True):
    """The causes that the newest version of a family shows and the one before it does not, and the other way round.

    `compared` counts the causes that both were observed on, on a target.
    """

    family: str
    newest: str
    before: str
    appeared: tuple[Cause, ...]
    ceased: tuple[Cause, ...]
    compared: int


def release_changes(content: Content) -> Iterator[ReleaseChanges]:
    """Yield the changes of each family of which two versions were asked the same."""
    for family, members in by_family(content.compilers).items():
        newest = members[-1]
        before = next((one for one in reversed(members) if one.number[:1] < newest.number[:1]), None)
        if before is None or not before.number:
            continue
        shown = [(cause, pairs) for cause in content.causes if (pairs := both(cause, before, newest))]
        if shown:
            yield ReleaseChanges(
                family,
                newest.display_name,
                before.display_name,
                tuple(cause for cause, pairs in shown if (False, True) in pairs),
                tuple(cause for cause, pairs in shown if (True, False) in pairs),
                len(shown),
            )


def both(cause: Cause, before: Compiler, newest: Compiler) -> set[tuple[bool, bool]]:
    """Return whether two versions show a cause, for each target on which both were observed and the text decides."""
    found = set()
    for target in cause.statuses:
        pair = cause.at(target, before.subject), cause.at(target, newest.subject)
        seen = [one.shows for one in pair if one is not None and not one.group]
        if len(seen) == 2 and all(one in {VersionResult.BAD, VersionResult.GOOD} for one in seen):
            found.add((seen[0] is VersionResult.BAD, seen[1] is VersionResult.BAD))
    return found

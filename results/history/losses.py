"""Find regressions of a run itself against an older one: clauses no longer tested, and slower compilers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import median

import msgspec

from abiprobe.results.history.compare import Outline, Side

SLOWER = 1.5
"""Factor in time per probe from which on a compiler counts as slower."""
NOTICED = 0.5
"""Seconds below which a difference in speed is not significant."""


class Pace(msgspec.Struct, frozen=True):
    """A side whose compiler has become slower: milliseconds of its CPU for a probe, then and now."""

    side: Side
    before: float
    after: float

    @property
    def factor(self) -> float:
        """The time now by the time then."""
        return self.after / self.before if self.before else 1.0


def unseen(
    old: Outline, new: Outline, pairs: Sequence[tuple[Side, Side]], *, alike: bool
) -> dict[str, tuple[str, ...]]:
    """Map each subject to the clauses that it was asked about in the old run, and not in the new one.

    What two seeds draw meets rare clauses by chance, so of runs that are not `alike` in that only the corpus counts.
    """
    before, after = (run.clauses if alike else run.of_corpus for run in (old, new))
    found: dict[str, tuple[str, ...]] = {}
    for was, side in pairs:
        lost = before.get(was, set()) - after.get(side, set())
        if lost:
            found[" ".join(side)] = tuple(sorted(lost))
    return found


def slower(
    old: Outline, new: Outline, pairs: Sequence[tuple[Side, Side]], changed: Callable[[Side], bool]
) -> tuple[Pace, ...]:
    """The sides whose compiler takes longer than it did, by much, beyond what the machine made of the other compilers.

    A compiler that has not `changed` cannot take longer by itself: what it takes longer is noise.
    """
    found = {}
    for was, side in pairs:
        (then, n), (now, m) = old.pace.get(was, (0.0, 0)), new.pace.get(side, (0.0, 0))
        if n and m and min(then, now) > NOTICED:
            found[side] = Pace(side, round(1000 * then / n, 3), round(1000 * now / m, 3))
    others = {side for _, side in pairs if changed(side)}
    return tuple(
        one
        for side, one in found.items()
        if side in others and one.factor > SLOWER * max(1.0, noise(side, found, others))
    )


def noise(side: Side, every: Mapping[Side, Pace], changed: Collection[Side]) -> float:
    """The most by which a compiler takes longer that has not changed, or of other compilers the median; 1 if there is none."""
    unchanged = [one.factor for other, one in every.items() if other not in changed]
    if unchanged:
        return max(unchanged)
    others = [one.factor for other, one in every.items() if other[1] != side[1]]
    return median(others) if others else 1.0

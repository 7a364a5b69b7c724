"""Find regressions of a run itself against an older one: clauses no longer tested, and slower compilers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.results.history.compare import Side
from abiprobe.results.journal import BatchDone, Run

SLOWER = 1.5
"""Factor in time per probe from which on a compiler counts as slower."""
NOTICED = 0.5
"""Seconds below which a difference in speed is not significant."""


class Pace(msgspec.Struct, frozen=True):
    """A side whose compiler has become slower: milliseconds of its CPU for a probe, then and now."""

    side: Side
    before: float
    after: float


def unseen(old: Run, new: Run, pairs: Sequence[tuple[Side, Side]]) -> dict[str, tuple[str, ...]]:
    """For each subject the clauses that it was asked about in the old run, and not in the new one.

    What two seeds draw meets rare clauses by chance, so of such runs only the corpus counts.
    """
    alike = old.header.plan.seed == new.header.plan.seed
    before, after = (
        clauses(batch for batch in run.batches if alike or batch.key.number < 0) for run in (old, new)
    )
    found: dict[str, tuple[str, ...]] = {}
    for was, side in pairs:
        lost = before.get(was, set()) - after.get(side, set())
        if lost:
            found[" ".join(side)] = tuple(sorted(lost))
    return found


def clauses(batches: Iterable[BatchDone]) -> dict[Side, set[str]]:
    """The clauses that each side was asked about."""
    found: dict[Side, set[str]] = {}
    for batch in batches:
        key = batch.key
        found.setdefault((key.target, key.subject, key.level), set()).update(batch.clauses)
    return found


def slower(
    old: Iterable[BatchDone], new: Iterable[BatchDone], pairs: Sequence[tuple[Side, Side]]
) -> tuple[Pace, ...]:
    """The sides whose compiler takes longer than it did, by much."""
    before, after = seconds(old), seconds(new)
    found = []
    for was, side in pairs:
        (then, n), (now, m) = before.get(was, (0.0, 0)), after.get(side, (0.0, 0))
        if n and m and min(then, now) > NOTICED and now / m > SLOWER * then / n:
            found.append(Pace(side, round(1000 * then / n, 3), round(1000 * now / m, 3)))
    return tuple(found)


def seconds(batches: Iterable[BatchDone]) -> dict[Side, tuple[float, int]]:
    """The compiler's CPU seconds and the number of probes of each side."""
    found: dict[Side, tuple[float, int]] = {}
    for batch in batches:
        side = (batch.key.target, batch.key.subject, batch.key.level)
        spent, probes = found.get(side, (0.0, 0))
        found[side] = (spent + batch.compile_seconds, probes + batch.probes)
    return found

"""Order causes by who acts on them: those of the newest gcc and clang first, those of compilers without releases last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from abiprobe.oracles.quirks.versions import family, numbers_of
from abiprobe.results.causes.cluster import Cluster

FIRST = frozenset({"clang", "gcc"})
"""Families whose newest version comes first: their maintainers answer, and most people use them."""
UNRELEASED = frozenset({"pcc", "tcc"})
"""Families without a release for years: pcc 1.1.0 is of 2014, tcc 0.9.27 of 2017."""


class Priority(IntEnum):
    """The urgency of a cause, by those who act on it."""

    NEWEST = 0
    """the maintainers of the newest gcc or clang"""
    OTHER = 1
    """those of another compiler, or users of an older version"""
    UNRELEASED = 2
    """nobody, as far as releases tell"""


def by_priority(clusters: Iterable[Cluster], versions: Mapping[str, str]) -> tuple[Cluster, ...]:
    """Sort causes by priority; the order within each stays. `versions` are the version lines of the run's subjects."""
    newest = newest_of(versions)
    return tuple(sorted(clusters, key=lambda item: priority(item, newest)))


def priority(item: Cluster, newest: frozenset[str]) -> Priority:
    """The priority of a cause in a run whose `newest` subjects are these."""
    if newest & set(item.subjects):
        return Priority.NEWEST
    return Priority.UNRELEASED if is_unreleased(item) else Priority.OTHER


def is_unreleased(item: Cluster) -> bool:
    """Return whether only compilers without a release for years show a cause."""
    return {family(subject) for subject in item.subjects} <= UNRELEASED


def newest_of(versions: Mapping[str, str]) -> frozenset[str]:
    """The subjects that are the newest gcc or the newest clang of a run."""
    latest: dict[str, tuple[int, ...]] = {}
    for subject, line in versions.items():
        latest[family(subject)] = max(latest.get(family(subject), ()), numbers_of(line))
    return frozenset(
        subject
        for subject, line in versions.items()
        if family(subject) in FIRST and numbers_of(line) == latest[family(subject)]
    )

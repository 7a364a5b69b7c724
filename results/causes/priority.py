"""Order causes by who acts on them: those of the newest gcc and clang first, those of compilers without releases last."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import IntEnum

from abiprobe.oracles.quirks.versions import family
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


def by_priority(clusters: Iterable[Cluster], newest: Collection[str]) -> tuple[Cluster, ...]:
    """Sort causes by priority in a run whose `newest` subjects are these; the order within each stays."""
    return tuple(sorted(clusters, key=lambda item: priority(item, newest)))


def priority(item: Cluster, newest: Collection[str]) -> Priority:
    """The priority of a cause in a run whose `newest` subjects are these."""
    if any(subject in newest and family(subject) in FIRST for subject in item.subjects):
        return Priority.NEWEST
    return Priority.UNRELEASED if is_unreleased(item) else Priority.OTHER


def is_unreleased(item: Cluster) -> bool:
    """Return whether only compilers without a release for years show a cause."""
    return {family(subject) for subject in item.subjects} <= UNRELEASED

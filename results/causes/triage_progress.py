"""Values stored between triages of a run, so that a later triage continues an unfinished one."""

from __future__ import annotations

import msgspec

from abiprobe.results.causes.cluster import Cluster, Finding

SCHEMA = 2
"""Of the triages that are stored beside a run; those of schema 1 are read as well (`results.causes.old_triages`)."""


class ReducedMember(msgspec.Struct, frozen=True):
    """A member of a group of deviations after its reduction.

    `covers` says that other members with its traits have the same cause, `finished` that the reduction is complete.
    """

    subjects: tuple[str, ...]
    probe: str
    finding: Finding
    covers: bool
    finished: bool


class FirstCauses(msgspec.Struct, frozen=True):
    """The causes of a run's new deviations found when it ended, with the reductions behind them.

    `known` are the clusters of what was known then, `gone` names known deviations that no longer occur; `digest` is that of
    the run.
    """

    schema: int = SCHEMA
    digest: str = ""
    clusters: tuple[Cluster, ...] = ()
    examined: tuple[ReducedMember, ...] = ()
    gone: tuple[str, ...] = ()
    known: tuple[Cluster, ...] = ()

"""The figures of a night, which are kept and drawn over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.journal.journal import BatchDone


class Figures(msgspec.Struct, frozen=True):
    """A run in figures: the probes that show its causes, and the CPU seconds of compilers, linkers, executors and abiprobe."""

    probes: int = 0
    cpu: float = 0.0


def figures_of(batches: Iterable[BatchDone], clusters: Sequence[Cluster]) -> Figures:
    """Return the figures of a run with these causes."""
    probes = {name for cluster in clusters for finding in cluster.findings for name in finding.probes}
    spent = sum(one.cpu_seconds for one in batches)
    return Figures(len(probes), round(spent, 1))

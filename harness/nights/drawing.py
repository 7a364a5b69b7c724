"""The drawings of a cause: the bytes that the model asks for, and those that compilers show today."""

from __future__ import annotations

from abiprobe.harness.commands.triage import cluster_maps, pair
from abiprobe.harness.toolchains.find import installed, parse_subject
from abiprobe.results.cluster import Cluster
from abiprobe.results.report.maps import Map


def drawn(cluster: Cluster) -> tuple[Map, ...]:
    """The maps of a cause, none where the compilers that it is about are not here."""
    target = cluster.first.fingerprint.target
    if not all(installed(parse_subject(name), (target,)) for name, _ in pair(cluster)):
        return ()
    return cluster_maps(cluster)

"""Byte maps for reports: the model's prediction beside what installed compilers do."""

from __future__ import annotations

from abiprobe.harness.nights.report_data import Draw
from abiprobe.harness.runs.availability import Availability
from abiprobe.harness.triage.cause_details import cluster_maps


def map_drawer(near: Availability) -> Draw:
    """Return a function that draws the maps of a cause; none for causes whose compilers are unavailable."""
    return lambda cluster: cluster_maps(cluster, near)

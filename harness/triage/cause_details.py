"""Details shown with a cause: the compilers to compare, byte maps of its example, and compiler notes."""

from __future__ import annotations

from abiprobe.harness.runs.availability import Availability
from abiprobe.harness.triage.compiler_notes import notes
from abiprobe.harness.triage.maps import maps
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.report.maps import Map


def compilers_to_compare(item: Cluster, near: Availability) -> tuple[Configuration, ...]:
    """Return a deviating configuration and one to contrast it with; empty when no deviating one is installed.

    Where no text decides, they are of two groups.
    """
    blame, level, target = item.first.blame, item.first.level, item.first.fingerprint.target
    if blame.groups:
        each = [near.here(target, group.subjects)[:1] for group in blame.groups]
        return tuple(asked for found in each for asked in found)[:2]
    guilty = near.here(target, ((subject, level) for subject in blame.deviating))
    agreeing, otherwise = (
        near.here(target, ((subject, level) for subject in part))
        for part in (blame.agreeing, blame.otherwise)
    )
    return (*guilty[:1], *(*agreeing, *guilty[1:], *otherwise)[:1]) if guilty else ()


def cluster_maps(item: Cluster, near: Availability) -> tuple[Map, ...]:
    """Return the byte maps of a cluster's smallest example; none for failures of tools."""
    asked = compilers_to_compare(item, near)
    if item.first.fingerprint.words or not asked:
        return ()
    return maps(find_target(item.first.fingerprint.target), item.first.example, asked)


def compiler_remarks(item: Cluster, near: Availability) -> tuple[str, ...]:
    """Return the ABI notes that the compared compilers print for the example."""
    target, example = find_target(item.first.fingerprint.target), item.first.example
    found = (notes(target, example, asked) for asked in compilers_to_compare(item, near))
    return tuple(note for remarks in found for note in remarks)

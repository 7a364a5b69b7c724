"""Details shown with a cause: its example in each language, byte maps of it, and what compilers note about it."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.runs.availability import Availability
from abiprobe.harness.subjects.question_text import in_languages, question_text
from abiprobe.harness.triage.compiler_notes import notes
from abiprobe.harness.triage.maps import maps
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.report.maps import Map


def target_of(item: Cluster) -> Target:
    """Return the target of a cause's smallest example."""
    return find_target(item.first.fingerprint.target)


def example_text(item: Cluster) -> str:
    """The smallest example of a cause, which several causes may share, for those that show this one."""
    return question_text(item.first.example, target_of(item), item.subjects)


def other_languages(item: Cluster) -> dict[str, str]:
    """The smallest example of a cause in each language but C."""
    return in_languages(item.first.example, target_of(item), item.subjects)


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


def cluster_maps(item: Cluster, asked: Sequence[Configuration]) -> tuple[Map, ...]:
    """Return the byte maps of a cluster's smallest example by the compared compilers; none for failures of tools."""
    if item.first.fingerprint.words or not asked:
        return ()
    return maps(target_of(item), item.first.example, asked)


def compiler_remarks(item: Cluster, asked: Sequence[Configuration]) -> tuple[str, ...]:
    """Return the ABI notes that the compared compilers print for the example."""
    return tuple(note for one in asked for note in notes(target_of(item), item.first.example, one))

"""The parts of a triage: causes by what they ask of a reader, and the order in which they are told."""

from __future__ import annotations

from collections.abc import Container, Sequence
from enum import Enum

from abiprobe.results.blame import Stand
from abiprobe.results.cluster import Cluster


class Part(Enum):
    """What a reader makes of a cause; the value is the heading."""

    TEXT = "Compilers against the text"
    """somebody departs from the text on several probes"""
    MODEL = "Everybody against the model: suspect the model, and then the text"
    """no family follows the model"""
    TOOL = "Tools that broke: by their assertion, stack or message"
    """a compiler crashed, hung, or refused what it should take"""
    RARE = "Seen on one probe only"
    """too little to say how well the traits describe it"""
    FLAKY = "Not shown by every fresh run"
    """nobody can act on it yet"""


def part_of(item: Cluster) -> Part:
    """The part of a triage that a cause belongs to."""
    if not item.first.steady:
        return Part.FLAKY
    if item.first.fingerprint.words:
        return Part.TOOL
    if item.probes == 1:
        return Part.RARE
    return Part.MODEL if item.first.blame.stand is Stand.MODEL else Part.TEXT


def in_order(clusters: Sequence[Cluster], known: Container[str]) -> list[Cluster]:
    """The causes in the order in which they are told: what is new first, then part by part."""
    parts = list(Part)
    return sorted(clusters, key=lambda item: (item.id in known, parts.index(part_of(item))))

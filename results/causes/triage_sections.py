"""Sections of a triage report: which section a cause belongs to, and the order of causes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from enum import Enum

from abiprobe.results.causes.blame import Stand
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.fingerprint import OPEN


class Section(Enum):
    """A section of the report; the value is its heading."""

    TEXT = "Compilers that deviate from the text"
    """a compiler deviates from the text on several probes"""
    MODEL = "No compiler follows the model: suspect the model, and then the text"
    """no family follows the model"""
    OPEN = "Compilers that differ where the documents leave the choice open: none is to blame"
    """subjects do not go together, and no text says who is right"""
    TOOL = "Compilers that crashed, hung or rejected a valid program: by message"
    """a compiler crashed, hung, or refused what it should take"""
    RARE = "Seen on one probe only"
    """too little to say how well the traits describe it"""
    FLAKY = "Not reproduced by every fresh run"
    """not reproducible, so not actionable yet"""


def section_of(item: Cluster) -> Section:
    """Return the section of the report that a cause belongs to."""
    if not item.first.steady:
        return Section.FLAKY
    if item.first.fingerprint.words:
        return Section.TOOL
    if item.symptom in OPEN:
        return Section.OPEN
    if item.probes == 1:
        return Section.RARE
    return Section.MODEL if item.first.blame.stand is Stand.MODEL else Section.TEXT


class Novelty(Enum):
    """The novelty of a cause; the value is the word in its heading."""

    NEW = "New"
    """no entry matches it"""
    KNOWN = "Known"
    """entries match it"""
    FLAKY = "Flaky"
    """it does not recur in every fresh run"""


def novelty_of(item: Cluster, known: Container[str]) -> Novelty:
    """Return whether a cause is new; `known` contains the ids of known clusters."""
    if not item.first.steady:
        return Novelty.FLAKY
    return Novelty.KNOWN if item.id in known else Novelty.NEW


def reading_order(clusters: Sequence[Cluster], known: Container[str]) -> list[Cluster]:
    """Sort causes for the report: new before known, each section by section."""
    ages, parts = list(Novelty), list(Section)
    return sorted(
        clusters, key=lambda item: (ages.index(novelty_of(item, known)), parts.index(section_of(item)))
    )

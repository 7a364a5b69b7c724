"""Timelines: one deviation over the versions of a compiler family."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from enum import Enum

import msgspec

from abiprobe.results.causes.fingerprint import OPEN, Fingerprint, fingerprints
from abiprobe.results.verdicts.record import Judgement, Verdict


class VersionResult(Enum):
    """The result of one version for a deviation."""

    BAD = "bad"
    """it shows the deviation"""
    OTHERWISE = "otherwise"
    """it deviates in another way"""
    GOOD = "good"
    """it follows the text, or where there is none goes together with the others"""
    SILENT = "-"
    """nothing could be compared: it lacks a type, or refused"""


class Version(msgspec.Struct, frozen=True):
    """A subject with what it showed at each level."""

    subject: str
    shown: dict[str, VersionResult]

    @property
    def whole(self) -> VersionResult:
        """The result for all levels together: bad if it is bad at one level."""
        found = set(self.shown.values())
        return next(one for one in VersionResult if one in found)


class VersionChange(msgspec.Struct, frozen=True):
    """Two versions next to each other of which one is good; `to` is the first of what comes after."""

    after: str
    to: str
    now: VersionResult


def showing(fingerprint: Fingerprint, verdicts: Sequence[Verdict]) -> VersionResult:
    """Return the result of the verdicts on a probe for a deviation."""
    found = fingerprints(fingerprint.target, verdicts)
    if fingerprint in found:
        return VersionResult.BAD
    if found:
        return VersionResult.OTHERWISE
    good = (
        verdict.shown if fingerprint.symptom in OPEN else verdict.verdict is Judgement.AGREES
        for verdict in verdicts
    )
    agrees = any(good)
    return VersionResult.GOOD if agrees else VersionResult.SILENT


def changes(versions: Sequence[Version]) -> tuple[VersionChange, ...]:
    """Return the changes from good to bad or back between versions, oldest first, ignoring those that show nothing."""
    observed = [version for version in versions if version.whole is not VersionResult.SILENT]
    return tuple(
        VersionChange(before.subject, after.subject, after.whole)
        for before, after in itertools.pairwise(observed)
        if (before.whole is VersionResult.GOOD) is not (after.whole is VersionResult.GOOD)
    )


def first(versions: Sequence[Version], wanted: VersionResult) -> str:
    """The oldest version that shows `wanted`, or an empty string."""
    return next((version.subject for version in versions if version.whole is wanted), "")


def last(versions: Sequence[Version], wanted: VersionResult) -> str:
    """The newest version that shows `wanted`, or an empty string."""
    return first(tuple(reversed(versions)), wanted)

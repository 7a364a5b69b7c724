"""A cause of wrong unwind tables over the installed versions of a compiler family."""

from __future__ import annotations

import msgspec

from abiprobe.harness.base.progress import counted
from abiprobe.harness.subjects.find import discover
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.unwind.causes import Cause, members
from abiprobe.harness.unwind.sweep import Share, answered
from abiprobe.oracles.quirks.versions import release_numbers
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.timeline import Version, VersionResult
from abiprobe.results.verdicts.record import Outcome


def timeline(cause: Cause) -> tuple[Version, ...]:
    """Return the result of each version, oldest first, for the smallest function as it was compiled."""
    family = cause.way.subject.family.name
    versions = sorted(
        (one for one in discover((find_target(cause.target),)) if one.family.name == family),
        key=lambda one: release_numbers(one.spelling),
    )
    return tuple(
        Version(one.spelling, {cause.way.level: shown(cause, one)})
        for one in counted(versions, "versions", len(versions))
    )


def shown(cause: Cause, subject: Subject) -> VersionResult:
    """Return the result of one version."""
    share = Share(msgspec.structs.replace(cause.way, subject=subject), (cause.function,))
    answer = answered(share)
    if answer.outcome is not Outcome.OBSERVED or not answer.stepping.facts:
        return VersionResult.SILENT
    kinds = {kind for kind, _ in members(share, answer)}
    if cause.kind in kinds:
        return VersionResult.BAD
    return VersionResult.OTHERWISE if kinds else VersionResult.GOOD

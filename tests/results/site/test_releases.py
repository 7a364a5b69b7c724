"""The newest version of a compiler and the one before it."""

from __future__ import annotations

import pytest

from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.site.cause_status import CauseStatus
from abiprobe.results.site.compilers import Compiler
from abiprobe.results.site.releases import both

BEFORE, NEWEST = (Compiler(f"clang-{n}", "clang", str(n), (f"clang version {n}.0.0",)) for n in (21, 22))
BAD, GOOD, SILENT = (
    CauseStatus(one) for one in (VersionResult.BAD, VersionResult.GOOD, VersionResult.SILENT)
)


class Shown:
    """A cause with the statuses of two versions on each of two targets."""

    def __init__(self, **statuses: tuple[CauseStatus | None, CauseStatus | None]) -> None:
        self.statuses = {
            target: {
                name: one for name, one in zip(("clang-21", "clang-22"), pair, strict=True) if one is not None
            }
            for target, pair in statuses.items()
        }

    def at(self, target: str, subject: str) -> CauseStatus | None:
        return self.statuses[target].get(subject)


@pytest.mark.parametrize(
    ("cause", "found"),
    [
        (Shown(a=(GOOD, BAD)), {(False, True)}),
        (Shown(a=(BAD, GOOD)), {(True, False)}),
        (Shown(a=(BAD, BAD)), {(True, True)}),
        # Gone on one target and not on the other.
        (Shown(a=(BAD, GOOD), b=(BAD, BAD)), {(True, False), (True, True)}),
        # What was not observed of both is no change.
        (Shown(a=(None, BAD)), set()),
        (Shown(a=(SILENT, BAD)), set()),
        (Shown(a=(CauseStatus(VersionResult.BAD, "A"), CauseStatus(VersionResult.BAD, "B"))), set()),
    ],
)
def test_a_change_is_told_where_both_were_observed(cause: Shown, found: set[tuple[bool, bool]]) -> None:
    assert both(cause, BEFORE, NEWEST) == found  # type: ignore[arg-type]

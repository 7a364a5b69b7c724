"""Timelines over versions."""

from __future__ import annotations

import pytest

from abiprobe.results.causes.timeline import Version, VersionChange, VersionResult, changes, first, last

GOOD, BAD, ELSE, SILENT = VersionResult.GOOD, VersionResult.BAD, VersionResult.OTHERWISE, VersionResult.SILENT


def versions(*shown: VersionResult) -> list[Version]:
    return [Version(f"clang-{number}", {"O0": one}) for number, one in enumerate(shown)]


CHANGES = [
    ([BAD, BAD, GOOD], [("clang-1", "clang-2", GOOD)]),
    ([GOOD, BAD, GOOD], [("clang-0", "clang-1", BAD), ("clang-1", "clang-2", GOOD)]),
    ([BAD, ELSE, GOOD], [("clang-1", "clang-2", GOOD)]),
    ([SILENT, BAD, SILENT, GOOD], [("clang-1", "clang-3", GOOD)]),
    ([GOOD, GOOD], []),
    ([], []),
]


@pytest.mark.parametrize(("shown", "expected"), CHANGES)
def test_where_versions_turn(
    shown: list[VersionResult], expected: list[tuple[str, str, VersionResult]]
) -> None:
    assert changes(versions(*shown)) == tuple(VersionChange(*one) for one in expected)


def test_bad_at_one_level_is_bad() -> None:
    assert Version("clang-1", {"O0": GOOD, "O2": BAD}).whole is BAD
    assert Version("clang-1", {"O0": GOOD, "O2": SILENT}).whole is GOOD


def test_first_and_last() -> None:
    found = versions(SILENT, BAD, BAD, GOOD)
    assert (first(found, BAD), last(found, BAD), first(found, GOOD), first(found, ELSE)) == (
        "clang-1",
        "clang-2",
        "clang-3",
        "",
    )

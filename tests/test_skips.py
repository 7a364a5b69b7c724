"""Skipped tests are counted by what is missing, and unexpected ones are found."""

from __future__ import annotations

from collections import Counter

import pytest

from .conftest import EXPECTED, missing_tool, skip_table, unexpected_skips


@pytest.mark.parametrize(
    ("reason", "tool"),
    [
        ("gcc-12 is not installed", "gcc-12"),
        ("gcc-12 is not installed for x86_64-sysv", "gcc-12"),
        ("none of clang-16, clang-19 is installed for nvptx64-cuda", "clang-16, clang-19"),
        ("neither zig nor clang is installed", "zig or clang"),
        ("the host is no x86-64", "the host is no x86-64"),
    ],
)
def test_a_reason_names_a_tool(reason: str, tool: str) -> None:
    assert missing_tool(reason) == tool


def test_the_table_counts_by_tool() -> None:
    found = Counter(
        {"gcc-12 is not installed": 2, "gcc-12 is not installed for x": 3, "tcc is not installed": 7}
    )
    assert skip_table(found) == [
        "skipped tests: 12, by what is missing:",
        "     7  tcc",
        "     5  gcc-12",
    ]
    assert skip_table(Counter()) == ["skipped tests: 0"]


def test_expected_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Counter({"a is not installed": 1})
    monkeypatch.delenv(EXPECTED, raising=False)
    assert unexpected_skips(found) == (set(), set())
    monkeypatch.setenv(EXPECTED, "none")
    assert unexpected_skips(found) == ({"a is not installed"}, set())
    monkeypatch.setenv(EXPECTED, "a is not installed; b is not installed")
    assert unexpected_skips(found) == (set(), {"b is not installed"})

"""Entries of known bugs of unwind tables and debug information: what they match, and files that are wrong."""

from __future__ import annotations

import pytest

from abiprobe.results.known.entries import DEBUG_INFO, DEBUGGER, UNWINDING, KnownError
from abiprobe.results.known.ways import parse, shipped

TEXT = """
[[unwinding]]
name = "a bug"
targets = ["riscv*"]
subjects = ["clang>=15,<20", "gcc"]
wrong = ["CFA (sp), after addi"]
status = "bug"
reason = "one row holds for two instructions"
link = "unreported"
since = 2026-11-29
example = "long f0(long n) { return n; }"
"""
(ENTRY,) = parse(TEXT, "known.toml", UNWINDING)


@pytest.mark.parametrize(
    ("target", "subject", "version", "expected"),
    [
        ("riscv64-lp64d", "clang-19", "clang version 19.1.7", True),
        ("riscv64-lp64d", "zig", "clang version 19.1.7", True),
        ("riscv64-lp64d", "gcc-16", "gcc (Debian 16.2.0-3) 16.2.0", True),
        ("riscv64-lp64d", "clang-20", "clang version 20.1.2", False),
        ("riscv64-lp64d", "clang-14", "clang version 14.0.6", False),
        ("riscv64-lp64d", "clang", "", False),
        ("x86_64-sysv", "clang-19", "clang version 19.1.7", False),
    ],
)
def test_an_entry_is_of_some_versions_on_some_targets(
    target: str, subject: str, version: str, *, expected: bool
) -> None:
    assert ENTRY.is_of(target, subject, version) is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('wrong = ["CFA (sp), after addi"]', "wrong = []", "a bug has no wrong"),
        ('subjects = ["clang>=15,<20", "gcc"]', "subjects = []", "a bug has no subjects"),
        ('"gcc"]', '"GCC 16"]', "is no range of versions"),
        ('status = "bug"', 'status = "odd"', "odd"),
        ("since =", "sinse =", "sinse"),
        ("[[unwinding]]", "[[unwind]]", "'unwind' is no table of known findings"),
        ("long f0(long n) { return n; }", "", "a bug has no example"),
    ],
)
def test_a_mistake_is_told(old: str, new: str, expected: str) -> None:
    assert old in TEXT
    with pytest.raises(KnownError, match=expected):
        parse(TEXT.replace(old, new), "known.toml", UNWINDING)


@pytest.mark.parametrize("of", [UNWINDING, DEBUG_INFO, DEBUGGER])
def test_the_shipped_entries_are_read(of: str) -> None:
    entries = shipped(of)
    assert entries
    assert all(entry.link == "unreported" or entry.link.startswith("https://") for entry in entries)

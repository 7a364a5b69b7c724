"""A known deviation for tests: a wide integer that clang splits."""

from __future__ import annotations

WIDE_ENTRY = """
[[deviation]]
name = "wide"
targets = ["x86_64-*"]
subjects = ["clang"]
shows.misplaced = ["t:wide"]
traits = ["__int128"]
status = "bug"
reason = "split"
link = "https://example.org/1"
since = 2026-11-21
example = "void f(__int128 a);"
"""

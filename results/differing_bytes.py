"""Long values of which a few bytes differ, cut to the part that does."""

from __future__ import annotations

import re

WHOLE = 16
"""Bytes of a value that are shown whole."""
BYTE = re.compile(r"[0-9a-f]{2}|\.\.|@@")
"""A byte as values are written; `..` is one that nothing is known of, or that has no part in the comparison, `@@` one of an address."""


def differing_part(expected: str, seen: str) -> tuple[str, str, str]:
    """Which bytes of two long values differ, in words, and those bytes of both; short values whole, without words."""
    ours, theirs = expected.split(" "), seen.split(" ")
    if len(ours) != len(theirs) or len(ours) <= WHOLE or not all(map(BYTE.fullmatch, ours + theirs)):
        return "", expected, seen
    apart = [index for index, pair in enumerate(zip(ours, theirs, strict=True)) if len(set(pair)) > 1]
    if not apart:
        return "", expected, seen
    first, last = apart[0], apart[-1] + 1
    end = min(last, first + WHOLE)
    words = (
        f"bytes {first} to {last - 1} of {len(ours)}" if last - first > 1 else f"byte {first} of {len(ours)}"
    )
    more = " ..." if last > end else ""
    return words, " ".join(ours[first:end]) + more, " ".join(theirs[first:end]) + more

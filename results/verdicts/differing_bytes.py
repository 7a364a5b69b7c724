"""Long values of which a few bytes differ, cut to the part that does."""

from __future__ import annotations

from abiprobe.results.verdicts.values import Bytes, Value
from abiprobe.results.verdicts.wording import value_text

WHOLE = 16
"""Bytes of a value that are shown whole."""


def differing_part(expected: Value, seen: Value) -> tuple[str, str, str]:
    """Return the bytes in which two long values differ, in words, and those bytes of both; other values whole, without words."""
    whole = "", value_text(expected), value_text(seen)
    if not (isinstance(expected, Bytes) and isinstance(seen, Bytes)):
        return whole
    ours, theirs = expected.each, seen.each
    if len(ours) != len(theirs) or len(ours) <= WHOLE:
        return whole
    apart = [index for index, pair in enumerate(zip(ours, theirs, strict=True)) if len(set(pair)) > 1]
    if not apart:
        return whole
    first, last = apart[0], apart[-1] + 1
    end = min(last, first + WHOLE)
    words = (
        f"bytes {first} to {last - 1} of {len(ours)}" if last - first > 1 else f"byte {first} of {len(ours)}"
    )
    more = " ..." if last > end else ""
    return words, " ".join(ours[first:end]) + more, " ".join(theirs[first:end]) + more

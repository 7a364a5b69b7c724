"""Kinds of places, in the words in which differences tell them."""

from __future__ import annotations

import re

NOWHERE = "nowhere"
STACK = "stack"
KINDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"on the stack at -?\d+"), STACK),
    (re.compile(r"in (?:[xyz]mm|v|q)\d+(?:_right)?\b"), "vector register"),
    (re.compile(r"in (?:f[ats]?|d)\d+\b"), "floating-point register"),
    # Single-precision on Arm; elsewhere nothing is passed there, and it is what a function saves.
    (re.compile(r"in s\d+\b"), "s register"),
    (re.compile(r"in (?:st\d|x87\w*)"), "x87 register"),
    (re.compile(r"in mm\d\b"), "MMX register"),
    (
        re.compile(
            r"in (?:[er][a-ds][xip]|r\d+|[er]bp|[axt]\d+|[giol][0-7]|i(?:32|64)\.[pr]\d+|ra|tp|gp|sp|lr|fp)\b"
        ),
        "general register",
    ),
)
"""The kinds of places in the words of a difference (`results.observations`); a parameter or result of a wasm function is a register."""


def kinds_in(note: str) -> frozenset[str]:
    """The kinds of places that the note of a difference names."""
    if note.startswith("found nowhere"):
        return frozenset({NOWHERE})
    if not note.startswith("found"):
        return frozenset()
    return frozenset(kind for pattern, kind in KINDS if pattern.search(note))


def comes_earlier(place: str, note: str) -> bool:
    """Whether a value is nowhere on the stack but before the place on the stack that the text gives it."""
    own, found = _on_the_stack(place, note)
    return own is not None and bool(found) and max(found) < own


def comes_later(place: str, note: str) -> bool:
    """Whether a value is nowhere on the stack but behind the place on the stack that the text gives it."""
    own, found = _on_the_stack(place, note)
    return own is not None and bool(found) and min(found) > own


def _on_the_stack(place: str, note: str) -> tuple[int | None, list[int]]:
    """The offset on the stack that the text gives a value, and those where it was found."""
    own = re.match(r"stack\+(\d+)", place)
    found = [int(offset) for offset in re.findall(r"on the stack at (-?\d+)", note)]
    return (int(own[1]) if own else None), found


def kinds_of(place: str) -> frozenset[str]:
    """The kinds of the places in which the text has a value: `a0, stack+8`, or `memory at a0`."""
    parts = place.removeprefix("memory at ").split(", ")
    named = (
        f"found on the stack at {part[6:]}" if part.startswith(STACK) else f"found in {part}"
        for part in parts
    )
    return frozenset(kind for one in named for kind in kinds_in(one))

"""The parts of a unit that a tool's message names: units give names with `_i` to everything that belongs to part number `i`."""

from __future__ import annotations

import re
from collections.abc import Sequence

NEAR = 1 << 16
"""Bytes looked at on each end of what a tool printed."""
NAMED = re.compile(rb"\b(?:abi_)?(?:probe|call|callee|looks|forward)_(\d+)(?:\b|_)")


def marker(index: int | str) -> str:
    """The line by which diagnostics of the lines behind it name their probe."""
    return f'#line 1 "probe_{index}"'


def suspects(stderr: bytes) -> tuple[int, ...]:
    """The numbers of the probes that a tool names."""
    text = stderr if len(stderr) <= 2 * NEAR else stderr[:NEAR] + b"\n" + stderr[-NEAR:]
    return tuple(sorted({int(match[1]) for match in NAMED.finditer(text)}))


def parts(count: int, suspects: tuple[int, ...]) -> list[Sequence[int]]:
    """Divide so many parts that failed together, to be tried again: each suspect by itself, or else halves."""
    named = [i for i in suspects if i < count]
    rest = sorted(set(range(count)).difference(named))
    if named and rest:
        return [*((i,) for i in named), rest]
    return [range(count // 2), range(count // 2, count)]

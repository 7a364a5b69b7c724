"""A sequence without some of its parts: halves, quarters, and so on down to single items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def without_chunks(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """`items` with one chunk left out, large chunks first, and each item by itself."""
    count = len(items)
    length = count
    while length:
        for start in range(0, count, length):
            yield (*items[:start], *items[start + length :])
        length //= 2
    if count > 2:
        yield from ((item,) for item in items)

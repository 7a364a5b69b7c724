"""Put the members of a group down to causes: the smallest is reduced, and goes with all others that its result explains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

M = TypeVar("M")
R = TypeVar("R")


def attributed(
    members: Sequence[M],
    reduce: Callable[[Sequence[M]], R | None],
    explains: Callable[[R, M], bool],
    most: int,
    is_void: Callable[[M], bool] = lambda _: False,
) -> tuple[list[tuple[R, list[M]]], list[M]]:
    """Return the causes of members, which are sorted by size, with the members of each, and the members that are left.

    `reduce` is given the members that are left and reduces the first, which its result explains, as it does all others of
    which `explains` says so; then the first of the rest. Members are left after `most` reductions, and where `reduce` returns `None` because its time is over. A
    member that `is_void` when its turn comes is dropped.
    """
    left = list(members)
    found: list[tuple[R, list[M]]] = []
    while left:
        first = left[0]
        if is_void(first):
            left.pop(0)
            continue
        result = reduce(left) if len(found) < most else None
        if result is None:
            break
        mine = [one for one in left if one is first or explains(result, one)]
        left = [one for one in left if not any(one is other for other in mine)]
        found.append((result, mine))
    return found, left

"""Arrays, of one dimension or more."""

from __future__ import annotations

from abiprobe.generators.extent import extent
from abiprobe.generators.scope import Scope
from abiprobe.oracles.lang import Array, Type

_DIMENSIONS = (0,) * 14 + (1, 1, 2)
_LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 2, 3, 4, 1, 2, 3, 100, 1000)


def rows(scope: Scope, room: int, element: Type) -> Type:
    """`element` itself, or an array of it within `room` (bytes) of one dimension or more; rarely of length zero.

    Decided after the element, so that an array shrinks to its element.
    """
    lengths = _LENGTHS + ((0,) if scope.allows("zero-length array") else ())
    result = element
    for _ in range(scope.draw.pick(_DIMENSIONS)):
        size = max(1, extent(result)[0])
        result = Array(result, min(scope.draw.pick(lengths), room // size))
    return result

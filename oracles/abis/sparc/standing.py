"""What an argument is to a function with variable arguments, and to one without (3P-12 Floating Arguments)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from abiprobe.oracles.language.lang import Prototype


class Standing(Enum):
    """What an argument is to its function."""

    FIXED = "of a function without variable arguments"
    NAMED = "named, of a function with variable arguments"
    UNNAMED = "matches the ellipsis"


def standings(prototype: Prototype) -> Iterator[Standing]:
    """What each argument of a call is, in order."""
    named = len(prototype.params)
    for number, _ in enumerate(prototype.arguments):
        if not prototype.variadic:
            yield Standing.FIXED
        else:
            yield Standing.NAMED if number < named else Standing.UNNAMED

"""What an argument is to a function with variable arguments, and to one without (3P-12 Floating Arguments)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from abiprobe.oracles.language.lang import Prototype


class ArgumentKind(Enum):
    """What an argument is to its function."""

    FIXED = "of a function without variable arguments"
    NAMED = "named, of a function with variable arguments"
    UNNAMED = "matches the ellipsis"


def argument_kinds(prototype: Prototype) -> Iterator[ArgumentKind]:
    """What each argument of a call is, in order."""
    named = len(prototype.params)
    for number, _ in enumerate(prototype.arguments):
        if not prototype.variadic:
            yield ArgumentKind.FIXED
        else:
            yield ArgumentKind.NAMED if number < named else ArgumentKind.UNNAMED

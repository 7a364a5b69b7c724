"""The kinds of arguments: to a function with variable arguments, named or not, or to one without (3P-12 Floating Arguments)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from abiprobe.oracles.language.lang import Prototype


class ArgumentKind(Enum):
    """The kind of an argument: of a function without variable arguments, or named or unnamed in one with them."""

    FIXED = "of a function without variable arguments"
    NAMED = "named, of a function with variable arguments"
    UNNAMED = "matches the ellipsis"


def argument_kinds(prototype: Prototype) -> Iterator[ArgumentKind]:
    """Yield the kind of each argument of a call, in order."""
    named = len(prototype.params)
    for number, _ in enumerate(prototype.arguments):
        if not prototype.variadic:
            yield ArgumentKind.FIXED
        else:
            yield ArgumentKind.NAMED if number < named else ArgumentKind.UNNAMED

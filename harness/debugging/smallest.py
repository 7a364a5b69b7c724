"""The smallest prototype that shows what debug information or a debugger has wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.names import renamed
from abiprobe.generators.reduction.shrinking import shrink
from abiprobe.oracles.language.lang import Prototype


def smallest(
    function: Prototype,
    is_asked: Callable[[Prototype], object],
    showing: Callable[[Sequence[Prototype]], Sequence[Prototype]],
    deadline: float,
) -> tuple[Prototype, bool]:
    """Return the smallest prototype reached from a function until a time, with plain names, and whether none is left to try.

    `is_asked` says of which the question can be asked, `showing` gives those of some that show it.
    """
    shrunk = shrink(
        function,
        lambda one: [
            smaller for smaller in candidates(one) if isinstance(smaller, Prototype) and is_asked(smaller)
        ],
        showing,
        lambda: time.monotonic() >= deadline,
    )
    named = renamed(shrunk.question)
    assert isinstance(named, Prototype), "names make no other question"
    return named, shrunk.finished

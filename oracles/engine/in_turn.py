"""The arguments of a call, passed one after the other; calls begin alike, so the beginnings that were met are remembered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.types import Beginning, TypeTable
from abiprobe.oracles.language.lang import Param
from abiprobe.oracles.text.place import Passed

MOST = 4_000
"""Steps from one beginning to the next that are remembered of a table of types."""


def in_turn(
    types: TypeTable,
    cursor: Cursor,
    arguments: Iterable[Param],
    rules: Callable[[Param], Passed],
    convention: Hashable,
) -> tuple[Passed, ...]:
    """Pass each argument by the `rules` of a `convention`, which look at nothing but the types and the cursor, and move that on."""
    beginnings = types.beginnings
    at = beginnings.setdefault((convention, cursor.base, cursor.state), Beginning(cursor.state))
    passed: list[Passed] = []
    for argument in arguments:
        step = at.steps.get(argument)
        if step is None:
            cursor.go_on(at.state)
            one = rules(argument)
            types.steps += 1
            after = beginnings.setdefault((convention, cursor.base, cursor.state), Beginning(cursor.state))
            step = at.steps[argument] = one, after
        passed.append(step[0])
        at = step[1]
    cursor.go_on(at.state)
    if types.steps > MOST:
        beginnings.clear()
        types.steps = 0
    return tuple(passed)
